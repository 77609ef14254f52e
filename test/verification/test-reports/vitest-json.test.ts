import { describe, expect, it } from 'vitest';
import { parseVitestJson } from '../../../src/verification/test-reports/jest-json.ts';
import { faultsOf, outcomes, recorded, reportOf } from './recorded.ts';

const OUTCOMES = [
  'failed before each fails > needs a row',
  'failed leaves',
  'failed runs alone',
  'failed sum > fails on purpose',
  'passed after',
  'passed after all fails > is fine itself',
  'passed before',
  'passed is expected to fail',
  'passed passes at the second try',
  'passed passes but leaves a rejection',
  'passed sum > adds',
  'passed sum > deep > er > has "quotes" & <angles>',
  'passed takes 1',
  'passed takes 2',
  'skipped before all fails > waits for it',
  'skipped hangs > waits for ever',
  'skipped is not reached',
  'skipped sum > is given up at run time',
  'skipped sum > is left out',
  'todo sum > is to be written',
];
const NOT_LOADED = [
  'describe-throws.test.js',
  'empty.test.js',
  'missing-import.test.js',
  'syntax-error.test.js',
].map((name) => `/project/test/${name}`);

describe.each(['3', '4'])('a report of vitest %s', (version) => {
  it('names every test with its result', () => {
    expect(outcomes(reportOf(parseVitestJson(recorded(`vitest/vitest-${version}.json.txt`))))).toEqual(
      OUTCOMES,
    );
  });

  it('has a fault for each file that did not load', () => {
    const { faults } = reportOf(parseVitestJson(recorded(`vitest/vitest-${version}.json.txt`)));
    expect(faults.map(({ file }) => file).sort()).toEqual(NOT_LOADED);
  });

  it('of a run without files has neither tests nor faults', () => {
    const report = parseVitestJson(recorded(`vitest/vitest-${version}-empty.json.txt`));
    expect(report).toEqual({ ok: true, value: { runner: 'vitest', tests: [], faults: [] } });
  });

  it('of our reporter has the same tests, and the faults of hooks and rejections too', () => {
    const report = reportOf(parseVitestJson(recorded(`vitest/kept-${version}.json.txt`)));
    expect(outcomes(report)).toEqual(OUTCOMES);
    const faults = faultsOf(report);
    expect(faults).toContain('-: nobody waits');
    expect(faults).toContain('/project/test/hooks.test.js: before all fails > no database');
    expect(faults).toContain('/project/test/hooks.test.js: after all fails > not closed');
    expect(faults.some((fault) => fault.includes('hangs > Hook timed out'))).toBe(true);
    for (const file of NOT_LOADED) expect(faults.some((fault) => fault.startsWith(file))).toBe(true);
  });
});

it('an unknown status has failed', () => {
  const text = JSON.stringify({
    testResults: [
      { name: 'a.test.js', status: 'passed', assertionResults: [{ title: 'x', status: 'splendid' }] },
    ],
  });
  expect(reportOf(parseVitestJson(text)).tests).toEqual([
    { name: 'x', file: 'a.test.js', status: 'failed', message: expect.stringContaining('splendid') },
  ]);
});
