import { describe, expect, it } from 'vitest';
import { noTestLostGate } from '../../../src/verification/gates/no-test-lost-gate.ts';
import { someFacts, testRun } from './facts-fixture.ts';

const judge = (over: Parameters<typeof someFacts>[0]) => noTestLostGate.judge(someFacts(over));
const base = testRun({ 'a.test.js: one': 'passed', 'a.test.js: two': 'passed' }, { tree_is: 'base' });

describe('[VERIFY-5] the no-test-lost gate', () => {
  it('passes when every test that passed on the base still runs', () => {
    expect(judge({})).toMatchObject({
      result: 'pass',
      required: true,
      reason: expect.stringMatching(/\b1\b/),
    });
  });

  it('fails when a test is gone and its file runs fewer tests', () => {
    expect(judge({ base, candidate: testRun({ 'a.test.js: one': 'passed' }) })).toMatchObject({
      result: 'fail',
      reason: expect.stringMatching(/^two\b/),
    });
  });

  it('fails when a test is skipped that ran on the base', () => {
    const candidate = testRun({ 'a.test.js: one': 'passed', 'a.test.js: two': 'skipped' });
    expect(judge({ base, candidate })).toMatchObject({
      result: 'fail',
      reason: expect.stringMatching(/^two\b.*\bskipped\b/),
    });
  });

  it('only warns about a missing name in a file that runs as many tests', () => {
    const candidate = testRun({ 'a.test.js: one': 'passed', 'a.test.js: zwei': 'passed' });
    const alteredTests = [{ file: 'a.test.js', cases: undefined, throughHelpers: false }];
    expect(judge({ base, candidate, alteredTests })).toMatchObject({
      result: 'pass',
      warnings: [expect.stringMatching(/: two$/)],
    });
  });

  it('cannot judge if the tests passed on the base and their report cannot be read', () => {
    const faults = [{ message: 'the report a.xml is not valid XML', code: 'unreadable' as const }];
    const unread = testRun({}, { tree_is: 'base', faults });
    expect(judge({ base: unread })).toMatchObject({
      result: 'absent',
      required: true,
      code: 'base-unreadable',
    });
    const missing = testRun(
      {},
      { tree_is: 'base', faults: [{ message: 'the report a.xml was not written' }] },
    );
    expect(judge({ base: missing })).toMatchObject({ result: 'pass' });
    const red = testRun({}, { tree_is: 'base', exit: 1, faults });
    expect(judge({ base: red })).toMatchObject({ result: 'pass' });
  });

  it('ignores computed names in an unchanged file', () => {
    const candidate = testRun({ 'a.test.js: one': 'passed', 'a.test.js: zwei': 'passed' });
    expect(judge({ base, candidate })).toMatchObject({ result: 'pass', warnings: [] });
  });

  it('recognizes a Python example whose module moved, by the documented name', () => {
    const before = testRun({ 'src/pkg/sub.py: pkg.sub.add': 'passed', 'src/pkg/sub.py: pkg.sub': 'passed' });
    const moved = { 'src/pkg/more/__init__.py: pkg.more.add': 'passed' } as const;
    const candidate = testRun({ ...moved, 'src/pkg/more/__init__.py: pkg.more': 'passed' });
    expect(judge({ base: before, candidate })).toMatchObject({ result: 'pass' });
    expect(judge({ base: before, candidate: testRun(moved) })).toMatchObject({ result: 'fail' });
    const other = testRun({
      'src/pkg/more.py: pkg.more.mul': 'passed',
      'src/pkg/more.py: pkg.more': 'passed',
    });
    expect(judge({ base: before, candidate: other })).toMatchObject({ result: 'fail' });
  });

  it('recognizes a test whose name contains an id, a time, a port or a temporary folder', () => {
    const names = (id: string, time: string, port: number, folder: string) =>
      testRun({
        [`a.test.js: keeps ${id}`]: 'passed',
        [`a.test.js: at ${time}`]: 'passed',
        [`a.test.js: on 127.0.0.1:${port}`]: 'passed',
        [`a.test.js: in /tmp/${folder}/x`]: 'passed',
      });
    const before = names('0b5f6f1e-6d3c-4c43-9f5e-6f0c2b6c1a11', '2026-01-02T03:04:05.678Z', 40001, 'a-x1');
    const after = names('9c5f6f1e-6d3c-4c43-9f5e-6f0c2b6c1a22', '2027-01-02T03:04:06.001Z', 51234, 'a-Y2');
    const one = { ...after, results: after.results.slice(0, 4) };
    expect(judge({ base: before, candidate: one })).toMatchObject({ result: 'pass', warnings: [] });
    const lost = { ...after, results: after.results.slice(0, 3) };
    expect(judge({ base: before, candidate: lost }).result).toBe('fail');
  });

  it('compares tests whose names differ in a date one by one', () => {
    const rows = (statuses: readonly ('passed' | 'skipped')[]) =>
      testRun(
        Object.fromEntries(statuses.map((status, at) => [`test_a.py: month[2024-0${at + 1}-01]`, status])),
      );
    const before = rows(['passed', 'passed', 'passed']);
    expect(judge({ base: before, candidate: rows(['passed', 'skipped', 'passed']) })).toMatchObject({
      result: 'fail',
      code: 'skipped',
      reason: expect.stringContaining('2024-02-01'),
    });
    expect(judge({ base: before, candidate: rows(['passed', 'passed']) })).toMatchObject({
      result: 'fail',
      code: 'not-run',
    });
    expect(judge({ base: rows(['passed', 'skipped']), candidate: rows(['passed', 'skipped']) }).result).toBe(
      'pass',
    );
  });

  it('distinguishes the example of a module from one of a function with the name of its folder', () => {
    const before = testRun({ 'flat/flat.py: flat': 'passed', 'flat/flat.py: flat.flat': 'passed' });
    expect(judge({ base: before, candidate: testRun({ 'flat/flat.py: flat': 'passed' }) })).toMatchObject({
      result: 'fail',
      code: 'not-run',
    });
  });

  it('fails when a second test of the same name runs instead of a skipped one', () => {
    const [one, two] = base.results;
    const results = [one, { ...two, status: 'skipped' }, { ...two, status: 'passed' }] as typeof base.results;
    expect(judge({ base, candidate: { ...base, results } })).toMatchObject({
      result: 'fail',
      code: 'skipped',
    });
  });

  it('does not take a test of the same name elsewhere for one in a file that did not change', () => {
    const candidate = testRun({ 'a.test.js: one': 'passed', 'b.test.js: two': 'passed' });
    expect(judge({ base, candidate })).toMatchObject({ result: 'pass' });
    const unchangedTestFiles = new Set(['a.test.js']);
    expect(judge({ base, candidate, unchangedTestFiles })).toMatchObject({ result: 'fail', code: 'not-run' });
  });

  it('recognizes a test whose Go package was renamed although its file is the same', () => {
    const inPackage = (name: string) => ({
      ...base,
      results: base.results.map((test) => ({ ...test, package: name })),
    });
    const unchangedTestFiles = new Set(['a.test.js']);
    expect(judge({ base: inPackage('x/a'), candidate: inPackage('x/b'), unchangedTestFiles })).toMatchObject({
      result: 'pass',
    });
  });

  describe('with tests in Rust sources, which have no file', () => {
    const adds = 'calc (src/lib.rs) > add > tests > adds';
    const before = testRun({ [adds]: 'passed', 'calc (src/lib.rs) > tests > one': 'passed' });
    const one = { 'calc (src/lib.rs) > tests > one': 'passed' } as const;
    const more = { 'calc (src/lib.rs) > mul > tests > adds': 'passed' } as const;
    const loss = {
      type: 'moved',
      severity: 'warn',
      file: 'src/add.rs',
      name: 'tests > adds',
      words: 'moved.',
      now: { file: 'src/mul.rs', name: 'tests > adds' },
    } as const;

    it('fails when a module loses a test, although another one has more', () => {
      const candidate = testRun({ ...one, ...more });
      expect(judge({ base: before, candidate })).toMatchObject({ result: 'fail', code: 'not-run' });
      const losses = [{ ...loss, type: 'conditional' } as const];
      expect(judge({ base: before, candidate, losses })).toMatchObject({ result: 'fail', code: 'not-run' });
    });

    it('passes when the test moved, or has another name in its module or crate', () => {
      const moved = testRun({ ...one, ...more });
      expect(judge({ base: before, candidate: moved, losses: [loss] }).result).toBe('pass');
      const row = testRun({ ...one, 'calc (src/lib.rs) > add > tests > adds > case_1': 'passed' });
      expect(judge({ base: before, candidate: row }).result).toBe('pass');
      const results = before.results.map((test) => ({ ...test, name: test.name.replace('calc', 'sums') }));
      expect(judge({ base: before, candidate: { ...before, results } }).result).toBe('pass');
    });

    it('fails when another test of the same name moved', () => {
      const two = testRun({ [adds]: 'passed', 'calc (src/lib.rs) > x > tests > adds': 'passed' });
      const losses = [{ ...loss, file: 'src/x.rs' }];
      expect(judge({ base: two, candidate: testRun(more), losses })).toMatchObject({ result: 'fail' });
    });
  });

  describe('with a test that the files explain', () => {
    const renamed = {
      type: 'renamed',
      severity: 'warn',
      file: 'a.test.js',
      name: 'two',
      words: 'renamed.',
      now: { file: 'a.test.js', name: 'zwei' },
    } as const;
    const two = { 'a.test.js: one': 'passed', 'a.test.js: two': 'passed' } as const;

    it('fails when a test of another file with the same name is skipped', () => {
      const before = testRun({ ...two, 'b.test.js: two': 'passed' });
      const now = { 'a.test.js: one': 'passed', 'a.test.js: zwei': 'passed' } as const;
      const losses = [renamed];
      const candidate = testRun({ ...now, 'b.test.js: two': 'skipped' });
      expect(judge({ base: before, candidate, losses })).toMatchObject({ result: 'fail', code: 'skipped' });
      const kept = testRun({ ...now, 'b.test.js: two': 'passed' });
      expect(judge({ base: before, candidate: kept, losses }).result).toBe('pass');
    });

    it('fails when it is skipped under its new name', () => {
      const candidate = testRun({ 'a.test.js: one': 'passed', 'a.test.js: zwei': 'skipped' });
      expect(judge({ base, candidate, losses: [renamed] })).toMatchObject({
        result: 'fail',
        code: 'not-run',
      });
    });

    it('fails when its new condition skips it here', () => {
      const { now: _now, ...rest } = renamed;
      const losses = [{ ...rest, type: 'conditional' } as const];
      expect(judge({ base, candidate: testRun(two), losses }).result).toBe('pass');
      const candidate = testRun({ ...two, 'a.test.js: two': 'skipped' });
      expect(judge({ base, candidate, losses })).toMatchObject({ result: 'fail', code: 'skipped' });
    });

    it('passes when the runner reports other files than those that contain the tests', () => {
      const before = testRun({ 'tests/it.rs: a > one': 'passed', 'tests/it.rs: a > two': 'passed' });
      const candidate = testRun({ 'tests/it.rs: a > one': 'passed', 'tests/b.rs: zwei': 'passed' });
      const losses = [{ ...renamed, file: 'tests/it/a.rs', now: { file: 'tests/b.rs', name: 'zwei' } }];
      expect(judge({ base: before, candidate, losses }).result).toBe('pass');
    });
  });

  it('does not claim that tests still run if none passed on the base', () => {
    const red = testRun({ 'a.test.js: one': 'failed' }, { tree_is: 'base', exit: 1 });
    expect(judge({ base: red }).reason).not.toContain('all 0');
  });

  it('fails on losses in the files, and warns about hints', () => {
    const loss = {
      type: 'removed',
      severity: 'fail',
      file: 'a.test.js',
      name: 'one',
      words: 'one was removed.',
    } as const;
    expect(judge({ losses: [loss] })).toMatchObject({ result: 'fail', reason: 'a.test.js: one was removed' });
    expect(judge({ losses: [{ ...loss, severity: 'warn' }] })).toMatchObject({
      result: 'pass',
      warnings: ['a.test.js: one was removed'],
    });
  });

  it('respects a person’s permission to remove tests, by name, by file or all', () => {
    const candidate = testRun({ 'a.test.js: one': 'passed' });
    for (const removesTests of [true, ['two'], ['a.test.js'], ['*.test.js']] as const)
      expect(judge({ base, candidate, rules: { removesTests } }).result).toBe('pass');
    expect(judge({ base, candidate, rules: { removesTests: ['three'] } }).result).toBe('fail');
  });

  describe('with a test whose rows or subtests have names of their own', () => {
    const rows = testRun({
      'a.test.js: S > adds[1]': 'passed',
      'a.test.js: S > adds[2]': 'passed',
      'a.test.js: S > other': 'passed',
    });
    const lossOf = (now: { file: string; name: string }) =>
      ({
        type: 'moved',
        severity: 'warn',
        file: 'a.test.js',
        name: 'S > adds',
        words: 'moved.',
        now,
      }) as const;
    const other = { 'a.test.js: S > other': 'passed' } as const;

    it('passes when it moved to another file and suite with all of them', () => {
      const losses = [lossOf({ file: 'b.test.js', name: 'T > adds' })];
      const moved = { 'b.test.js: T > adds[1]': 'passed', 'b.test.js: T > adds[3]': 'passed' } as const;
      expect(judge({ base: rows, candidate: testRun({ ...other, ...moved }), losses }).result).toBe('pass');
    });

    it('fails when the moved test runs fewer of them', () => {
      const losses = [lossOf({ file: 'b.test.js', name: 'T > adds' })];
      const candidate = testRun({ ...other, 'b.test.js: T > adds[1]': 'passed' });
      expect(judge({ base: rows, candidate, losses })).toMatchObject({ result: 'fail', code: 'not-run' });
      expect(judge({ base: rows, candidate: testRun(other), losses }).result).toBe('fail');
    });

    it('passes when a person declared that the test is removed', () => {
      const { now: _now, ...removed } = lossOf({ file: '', name: '' });
      const losses = [{ ...removed, type: 'removed', severity: 'accepted' } as const];
      expect(judge({ base: rows, candidate: testRun(other), losses }).result).toBe('pass');
    });
  });

  it('does not count a run without names as a loss of all tests: the tests gate reports it', () => {
    expect(judge({ base, candidate: testRun({}, { exit: 1 }) }).result).toBe('pass');
  });
});
