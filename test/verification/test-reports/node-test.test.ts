import { describe, expect, it } from 'vitest';
import { parseNodeTest } from '../../../src/verification/test-reports/node-test.ts';
import { faultsOf, outcomes, recorded, reportOf } from './recorded.ts';

const OUTCOMES = [
  'failed before fails > waits for it',
  'failed beforeEach fails > needs a row',
  'failed hangs',
  'failed has parts > two',
  'failed has parts and fails itself',
  'failed sum > fails on purpose',
  'passed after fails > is fine itself',
  'passed has parts > one',
  'passed has parts and fails itself > three',
  'passed sum > adds',
  'passed sum > deep > er > has "quotes" & <angles> \\ # hash',
  'skipped left out whole',
  'skipped sum > is left out',
  'skipped sum > is left out with a reason',
  'todo sum > is to be written',
];

describe.each([
  ['20', 'failed ends before its part > is cancelled'],
  ['22', 'failed ends before its part > is cancelled'],
  // Since 24 a test waits for its subtests.
  ['24', 'passed ends before its part > is cancelled'],
])('node:test of Node %s', (version, cancelled) => {
  const report = () => reportOf(parseNodeTest(recorded(`node-test/node-${version}.jsonl`)));

  it('names the tests, not their suites or files without tests', () => {
    expect(outcomes(report())).toEqual([...OUTCOMES, cancelled].sort());
  });

  it('has a fault for broken files and failing hooks', () => {
    expect(faultsOf(report())).toEqual([
      '/project/test/missing-import.test.mjs: test failed',
      '/project/test/mixed.test.mjs: after fails: not closed',
      '/project/test/mixed.test.mjs: before fails: no database',
      '/project/test/syntax-error.test.mjs: test failed',
    ]);
  });
});

function event(type: string, data: Record<string, unknown>): string {
  return JSON.stringify({ type, data });
}

it('an unfinished suite is a fault, and its tests count', () => {
  const text = event('test:pass', { name: 'a', nesting: 3, file: '/p/a.test.js' });
  const report = reportOf(parseNodeTest(text));
  expect(outcomes(report)).toEqual(['passed a']);
  expect(report.faults).toEqual([{ code: 'suite-open', file: '/p/a.test.js', message: expect.any(String) }]);
});

it('half a line is not a report', () => {
  expect(parseNodeTest('{"type":"test:pass","data":{"name":"a"')).toMatchObject({ ok: false });
});

it('endless nesting neither overflows nor hangs', () => {
  const depth = 5000;
  const lines = Array.from({ length: depth }, (_, index) =>
    event('test:pass', { name: `s${index}`, nesting: depth - index, type: index === 0 ? 'test' : 'suite' }),
  );
  const { tests } = reportOf(parseNodeTest(lines.join('\n')));
  expect(tests).toHaveLength(1);
  expect(tests[0]?.name.length).toBeLessThanOrEqual(500);
});
