import { describe, expect, it } from 'vitest';
import { parseTap, parseTapFiles } from '../../../src/verification/test-reports/tap.ts';
import { faultCodes, outcomes, recorded, reportOf } from './recorded.ts';

function parse(...lines: string[]) {
  return reportOf(parseTap(lines.join('\n')));
}

describe('real output', () => {
  it('tape: comments name the tests, and a skipped test is only a comment', () => {
    const report = reportOf(parseTap(recorded('tap/tape.tap')));
    expect(outcomes(report)).toEqual([
      'failed sum > fails on purpose',
      'passed one > of two',
      'passed sum > adds',
      'skipped left out no time',
      'todo to do > not yet',
    ]);
    expect(report.faults).toEqual([]);
  });

  it('ava', () => {
    const report = reportOf(parseTap(recorded('tap/ava.tap')));
    expect(outcomes(report)).toEqual([
      'failed fails on purpose',
      'passed adds',
      'passed is expected to fail',
      'skipped left out',
      'todo to be written',
    ]);
    expect(report.faults).toEqual([]);
  });

  it('mocha', () => {
    const report = reportOf(parseTap(recorded('tap/mocha.tap')));
    expect(outcomes(report)).toEqual([
      'failed hooks "before all" hook for "waits for it"',
      'failed sum fails on purpose',
      'passed sum adds',
      'passed sum deeper has <angles>',
      'skipped sum left out',
      'skipped sum to be written',
    ]);
    expect(report.faults).toEqual([]);
  });

  it('node-tap: subtests, and a run that bails out', () => {
    const report = reportOf(parseTap(recorded('tap/node-tap.tap')));
    expect(outcomes(report)).toEqual([
      'failed sum > fails on purpose',
      'passed outer > inner > deep # hash',
      'passed sum > adds',
      'skipped left out',
      'todo to do',
    ]);
    expect(faultCodes(report)).toEqual(['bailed-out']);
  });

  it.each(['20', '22', '24'])('node:test of Node %s', (version) => {
    const report = reportOf(parseTap(recorded(`tap/node-${version}.tap`)));
    expect(outcomes(report)).toContain('passed sum > deep > er > has "quotes" & <angles> \\ # hash');
    expect(outcomes(report)).toContain('failed has parts > two');
    expect(outcomes(report)).toContain('failed after fails');
    expect(outcomes(report)).toContain('todo sum > is to be written');
    expect(outcomes(report).filter((line) => line.includes('empty.test'))).toEqual([]);
    expect(report.faults.map(({ file }) => file?.split('/').at(-1))).toEqual([
      'missing-import.test.mjs',
      'syntax-error.test.mjs',
    ]);
  });

  it('a tape test that does not end has failed', () => {
    expect(outcomes(reportOf(parseTap(recorded('tap/tape-unfinished.tap'))))).toEqual([
      'failed never ends > plan != count',
      'passed never ends > first',
    ]);
  });
});

describe('the plan', () => {
  it('may come first or last', () => {
    expect(parse('1..1', 'ok 1 - a').faults).toEqual([]);
    expect(parse('ok 1 - a', '1..1').faults).toEqual([]);
  });

  it('that does not match is a fault', () => {
    expect(faultCodes(parse('1..3', 'ok 1 - a'))).toEqual(['plan-not-kept']);
  });

  it('that is missing is a fault', () => {
    expect(faultCodes(parse('TAP version 13', 'ok 1 - a'))).toEqual(['plan-missing']);
  });

  it('given twice is a fault', () => {
    expect(faultCodes(parse('1..1', 'ok 1 - a', '1..1'))).toEqual(['plan-repeated']);
  });

  it('of no tests is a report without tests', () => {
    expect(parse('TAP version 14', '1..0 # SKIP nothing to do')).toEqual({
      runner: 'tap',
      tests: [],
      faults: [],
    });
  });

  it('matches numbers in any order, and not one that is too high', () => {
    expect(parse('1..2', 'ok 2 - b', 'ok 1 - a').faults).toEqual([]);
    expect(faultCodes(parse('1..2', 'ok 1 - a', 'ok 7 - b'))).toEqual(['number-outside-plan']);
  });

  it('of a subtest is checked as well', () => {
    expect(faultCodes(parse('    1..2', '    ok 1 - a', 'ok 1 - outer', '1..1'))).toEqual(['plan-not-kept']);
  });
});

describe('results', () => {
  it('a failing todo is todo, a failing skip has failed', () => {
    expect(
      outcomes(parse('not ok 1 - a # TODO later', 'not ok 2 - b # SKIP no', 'ok 3 - c # skipped', '1..3')),
    ).toEqual(['failed b', 'skipped c', 'todo a']);
  });

  it('a name keeps its own hash and backslash', () => {
    expect(outcomes(parse('ok 1 - a \\# todo b \\\\ c', 'ok 2 - issue #12', '1..2'))).toEqual([
      'passed a # todo b \\ c',
      'passed issue #12',
    ]);
  });

  it('a subtest that fails while its parts pass counts itself', () => {
    expect(outcomes(parse('    ok 1 - a', '    1..1', 'not ok 1 - outer', '1..1'))).toEqual([
      'failed outer',
      'passed outer > a',
    ]);
  });

  it('an unfinished subtest is a fault, and its results count', () => {
    const report = parse('    not ok 1 - a', '1..0');
    expect(outcomes(report)).toEqual(['failed a']);
    expect(faultCodes(report)).toEqual(['subtest-open']);
  });

  it('a diagnostic is kept verbatim and never parsed', () => {
    const report = parse('not ok 1 - a', '  ---', '  ok: not ok 2 - b', '  ok 3 - c', '  ...', '1..1');
    expect(report.tests).toEqual([{ name: 'a', status: 'failed', message: 'ok: not ok 2 - b\nok 3 - c' }]);
  });

  it('three dashes printed by a test hide nothing', () => {
    expect(outcomes(parse('ok 1 - a', '---', 'not ok 2 - b', '1..2'))).toEqual(['failed b', 'passed a']);
  });

  it('a text that ends in a diagnostic was truncated', () => {
    expect(faultCodes(parse('1..1', 'not ok 1 - a', '  ---', '  message: x'))).toEqual(['cut-off']);
  });

  it('surrounding output of npm and of tests is ignored', () => {
    const report = parse(
      '> p@1.0.0 test',
      '> tape *.js',
      '',
      'TAP version 13',
      'ok 1 a',
      'hello',
      '1..1',
      'okay then',
    );
    expect(outcomes(report)).toEqual(['passed a']);
    expect(report.faults).toEqual([]);
  });

  it('two documents in sequence keep separate plans', () => {
    const one = ['TAP version 13', 'ok 1 - a', '1..1'];
    const report = parse(...one, ...one);
    expect(outcomes(report)).toEqual(['passed a', 'passed a']);
    expect(report.faults).toEqual([]);
  });
});

it('text without any TAP is not TAP', () => {
  expect(parseTap('all fine\n')).toMatchObject({ ok: false });
});

it('of several files, one without any TAP has no tests and no fault', () => {
  const documents = [
    { file: 'test/a.js', text: 'TAP version 14\nok 1 - a\n1..1\n' },
    { file: 'test/timings.js', text: '12 ms\n' },
  ];
  const report = reportOf(parseTapFiles(JSON.stringify({ documents })));
  expect(outcomes(report)).toEqual(['passed a']);
  expect(report.faults).toEqual([]);
});

it('a file that fails without a failed test has a fault, for example because it could not be loaded', () => {
  const documents = [
    { file: 'test/a.js', exit: 0, text: 'TAP version 13\nok 1 - a\n1..1\n' },
    { file: 'test/b.js', exit: 1, text: 'TAP version 13\n1..0 # no tests found\n' },
    { file: 'test/c.js', exit: 7, text: '' },
    { file: 'test/d.js', exit: 1, text: 'TAP version 13\nnot ok 1 - d\n1..1\n' },
    { file: 'test/e.js', exit: null, text: '' },
  ];
  const report = reportOf(parseTapFiles(JSON.stringify({ documents })));
  expect(outcomes(report)).toEqual(['failed d', 'passed a']);
  expect(report.faults.map(({ file, code }) => [file, code])).toEqual([
    ['test/b.js', 'failed-without-test'],
    ['test/c.js', 'failed-without-test'],
  ]);
});

it('a test of node-tap that fails says which assertion failed, before its stack', () => {
  const text = [
    'TAP version 14',
    '# Subtest: removes',
    '    not ok 1 - EXDEV: cross-device link',
    '      ---',
    '      stack: |',
    '        remove (src/remove.js:1:1)',
    '      ...',
    '    1..1',
    'not ok 1 - removes',
    '1..1',
  ].join('\n');
  const [test] = reportOf(parseTap(text, { subtestsAreTests: true })).tests;
  expect(test).toMatchObject({ name: 'removes', status: 'failed' });
  expect(test?.message?.split('\n')[0]).toBe('EXDEV: cross-device link');
});
