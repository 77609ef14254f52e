import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ReportFault, TestResult } from '../../../src/domain/entities/test-report.ts';
import {
  evidenceFolder,
  readTestResults,
  saveTestResults,
} from '../../../src/verification/runs/record-evidence.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { testRun } from '../gates/facts-fixture.ts';

const RESULTS: TestResult[] = [
  { name: 'adds', file: 'test/cart.test.js', status: 'failed', message: 'cart.add is not a function' },
  { name: 'TestAdd', package: 'example.com/cart', status: 'passed' },
];
const FAULTS: ReportFault[] = [
  {
    file: 'src/[id]/a file.test.ts',
    message: 'TS2339',
    code: 'not-compiled',
    places: [{ file: 'src/a.ts', line: 1, column: 2, message: 'no such name' }],
  },
];

function saved() {
  const place = { home: temporaryFolder(), project: 'shop-1234' };
  const { evidence } = testRun({});
  const tests = saveTestResults(place, evidence.id, RESULTS, FAULTS, ['jest']);
  return { place, evidence: { ...evidence, tests } };
}

it('a reused run has every message and place of the run', () => {
  const { place, evidence } = saved();
  expect(readTestResults(place, evidence)).toEqual({ results: RESULTS, faults: FAULTS });
});

it('a changed file of results is not reused', () => {
  const { place, evidence } = saved();
  appendFileSync(join(evidenceFolder(place), `${evidence.id}.tests.json`), ' ');
  expect(readTestResults(place, evidence)).toBeUndefined();
});

it('secrets in messages are not saved', () => {
  const place = { home: temporaryFolder(), project: 'shop-1234' };
  const { evidence } = testRun({});
  const message = `cannot log in with ghp_${'a1B2c3D4e5'.repeat(3)}A1b2C3`;
  const results: TestResult[] = [{ name: 'logs in', status: 'failed', message }];
  const faults: ReportFault[] = [{ message, places: [{ file: 'a.ts', line: 1, column: 1, message }] }];
  const tests = saveTestResults(place, evidence.id, results, faults, ['jest']);
  const text = readFileSync(join(evidenceFolder(place), `${evidence.id}.tests.json`), 'utf8');
  expect(text).not.toContain('ghp_');
  expect(text.match(/\[scrubbed:/g)).toHaveLength(3);
  expect(readTestResults(place, { ...evidence, tests })?.results).toMatchObject([{ name: 'logs in' }]);
});
