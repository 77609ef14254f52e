import { expect, it } from 'vitest';
import type { TestReport, TestResult } from '../../../src/domain/entities/test-report.ts';
import { mergeReports } from '../../../src/verification/test-reports/merge-reports.ts';

function report(...tests: TestResult[]): TestReport {
  return { runner: 'vitest', tests, faults: [] };
}

it('a test reported as passed and failed has failed, with the message', () => {
  const failed = { name: 'a', file: 'a.js', status: 'failed', message: 'no' } as const;
  const passed = { name: 'a', file: 'a.js', status: 'passed' } as const;
  expect(mergeReports([report(passed, failed), report(passed)])).toEqual([{ ...failed, count: 3 }]);
});

it('a test that ran once and was skipped once has run', () => {
  const merged = mergeReports([report({ name: 'a', status: 'skipped' }, { name: 'a', status: 'passed' })]);
  expect(merged).toEqual([{ name: 'a', status: 'passed', count: 2 }]);
});

it('the same name in another file is another test', () => {
  const merged = mergeReports([
    report({ name: 'a', file: 'a.js', status: 'passed' }, { name: 'a', file: 'b.js', status: 'todo' }),
  ]);
  expect(merged.map(({ file, count }) => [file, count])).toEqual([
    ['a.js', 1],
    ['b.js', 1],
  ]);
});
