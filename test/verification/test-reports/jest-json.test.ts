import { describe, expect, it } from 'vitest';
import { parseJestJson } from '../../../src/verification/test-reports/jest-json.ts';
import { outcomes, recorded, reportOf } from './recorded.ts';

const OUTCOMES = [
  'failed before all fails > waits for it',
  'failed before each fails > needs a row',
  'failed hangs > waits for ever',
  'failed sum > fails on purpose',
  'passed after all fails > is fine itself',
  'passed is expected to fail',
  'passed passes at the second try',
  'passed runs alone',
  'passed sum > adds',
  'passed sum > deep > er > has "quotes" & <angles>',
  'passed takes 1',
  'passed takes 2',
  'skipped is not reached',
  'skipped sum > is disabled',
  'skipped sum > is left out',
  'todo sum > is to be written',
];

describe.each(['jest-29', 'jest-30', 'kept-29', 'kept-30'])('the report %s', (name) => {
  const report = () => reportOf(parseJestJson(recorded(`jest/${name}.json.txt`)));

  it('names every test with its result', () => {
    expect(outcomes(report())).toEqual(OUTCOMES);
  });

  it('has a fault for each file that did not load, and for an afterAll hook', () => {
    const files = report().faults.map(({ file }) => file);
    expect(files.sort()).toEqual(
      ['after-all', 'describe-throws', 'empty', 'missing-import', 'syntax-error'].map(
        (file) => `/project/test/${file}.test.js`,
      ),
    );
  });
});

it.each(['29', '30'])('jest %s without tests gives a report without tests', (version) => {
  const report = parseJestJson(recorded(`jest/jest-${version}-empty.json.txt`));
  expect(report).toEqual({ ok: true, value: { runner: 'jest', tests: [], faults: [] } });
});

it('an interrupted run is a fault', () => {
  const text = JSON.stringify({ numRuntimeErrorTestSuites: 0, wasInterrupted: true, testResults: [] });
  expect(reportOf(parseJestJson(text)).faults).toEqual([
    { code: 'interrupted', message: expect.any(String) },
  ]);
});
