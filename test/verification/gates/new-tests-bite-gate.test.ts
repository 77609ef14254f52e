import { describe, expect, it } from 'vitest';
import { testKey } from '../../../src/domain/entities/test-report.ts';
import type { TestRun } from '../../../src/verification/facts.ts';
import { newTestsBiteGate } from '../../../src/verification/gates/new-tests-bite-gate.ts';
import { readTestCases } from '../../../src/verification/test-files/read-test-cases.ts';
import { someFacts, testRun } from './facts-fixture.ts';

const namesOf = ({ results }: TestRun) =>
  Object.fromEntries(results.map(({ name, file, status }) => [`${file}: ${name}`, status]));

const judge = (over: Parameters<typeof someFacts>[0]) => newTestsBiteGate.judge(someFacts(over));

describe('[VERIFY-4] the new-tests-bite gate', () => {
  it('passes when a new test fails on the base', () => {
    expect(judge({})).toMatchObject({
      result: 'pass',
      required: true,
      reason: expect.stringMatching(/\b1\b.*\b1\b/),
    });
  });

  it('fails when every new test passes without the change', () => {
    const idle = testRun({ 'a.test.js: old': 'passed', 'b.test.js: new': 'passed' });
    expect(judge({ baseWithNewTests: idle })).toMatchObject({
      result: 'fail',
      reason: expect.stringMatching(/: new$/),
    });
  });

  it('passes when a new row fails on the base whose name differs from the others in a date', () => {
    const row = (day: string) => `test_a.py: month[2024-${day}]`;
    const before = { [row('01-01')]: 'passed', [row('02-01')]: 'passed' } as const;
    const alteredTests = [{ file: 'test_a.py', cases: undefined, throughHelpers: false }];
    const facts = {
      alteredTests,
      base: testRun(before),
      candidate: testRun({ ...before, [row('03-01')]: 'passed' }),
    };
    const judged = (status: 'passed' | 'failed') =>
      judge({ ...facts, baseWithNewTests: testRun({ ...before, [row('03-01')]: status }, { exit: 1 }) });
    expect(judged('failed')).toMatchObject({ result: 'pass' });
    expect(judged('passed')).toMatchObject({ result: 'fail', code: 'pass-without-change' });
  });

  describe('when a new test does not run on the base', () => {
    const base = testRun({ 'a/a.test.js: old': 'passed' });
    const candidate = testRun({ 'a/a.test.js: old': 'passed', 'b/b.test.js: new': 'passed' });
    const added = (...paths: string[]) => ({
      base,
      candidate,
      baseWithNewTests: base,
      changes: paths.map((path) => ({ path, change: 'added' as const })),
    });

    it('passes if the change adds the package of the test', () => {
      expect(judge(added('b/package.json', 'b/b.test.js'))).toMatchObject({ result: 'pass' });
    });

    it('is absent for a test of another package', () => {
      const others = ['package.json', 'c/package.json', 'bb/package.json', 'test/package.json'];
      expect(judge(added(...others, 'b/b.test.js'))).toMatchObject({ result: 'absent', code: 'not-tried' });
    });
  });

  it('names the new tests before the altered ones', () => {
    const idle = testRun({ 'a.test.js: old': 'passed', 'b.test.js: new': 'passed' });
    const alteredTests = ['a.test.js', 'b.test.js'].map((file) => ({
      file,
      cases: undefined,
      throughHelpers: false,
    }));
    expect(judge({ baseWithNewTests: idle, alteredTests })).toMatchObject({
      code: 'pass-without-change',
      reason: expect.stringMatching(/: new, old$/),
    });
  });

  it('fails when the change adds or alters no test', () => {
    const candidate = testRun({ 'a.test.js: old': 'passed' });
    expect(judge({ candidate, alteredTests: [], baseWithNewTests: undefined })).toMatchObject({
      result: 'fail',
      required: true,
    });
  });

  describe('of a change of type declarations', () => {
    const declared = (...paths: string[]) => {
      const run = testRun({ 'a.test.js: old': 'passed' });
      return {
        base: run,
        candidate: run,
        alteredTests: [],
        changes: ['index.d.ts', ...paths].map((path) => ({ path, change: 'modified' as const })),
      };
    };
    const failing = testRun({ 'a.test.js: old': 'passed' }, { exit: 1 });
    const passing = testRun({ 'a.test.js: old': 'passed' });

    it('passes when the command fails with its type tests on the base', () => {
      const facts = { ...declared('index.test-d.ts', 'readme.md'), baseWithNewTests: failing };
      expect(judge(facts)).toMatchObject({ result: 'pass', required: true });
    });

    it('passes in the same way for TypeScript sources', () => {
      const changes = ['src/index.ts', 'test-d/index.test-d.ts'].map((path) => ({
        path,
        change: 'modified' as const,
      }));
      const facts = { ...declared(), changes, baseWithNewTests: failing };
      expect(judge(facts)).toMatchObject({ result: 'pass', required: true });
    });

    it.each([
      ['the command passes with them on the base', declared('index.test-d.ts'), passing],
      ['other code changes too', declared('index.test-d.ts', 'index.js'), failing],
      ['there are no type tests', declared(), failing],
    ])('fails when %s', (_what, facts, baseWithNewTests) => {
      expect(judge({ ...facts, baseWithNewTests })).toMatchObject({ result: 'fail', required: true });
    });
  });

  describe('of a change whose tests are a script next to named tests', () => {
    const named = testRun({ 'a.test.js: old': 'passed' });
    const changed = {
      base: named,
      candidate: named,
      alteredTests: [],
      changes: [
        { path: 'src/a.js', change: 'modified' as const },
        { path: 'test/smoke.sh', change: 'modified' as const },
      ],
    };
    const failing = testRun({ 'a.test.js: old': 'passed' }, { exit: 1 });

    it('passes when the command fails with the script on the base', () => {
      const facts = { ...changed, testScripts: ['test/smoke.sh'], baseWithNewTests: failing };
      expect(judge(facts)).toMatchObject({ result: 'pass', code: 'unnamed' });
    });

    it.each([
      ['the command passes with it on the base', ['test/smoke.sh'], named],
      ['the script asserts nothing', [], failing],
    ])('fails when %s', (_what, testScripts, baseWithNewTests) => {
      expect(judge({ ...changed, testScripts, baseWithNewTests })).toMatchObject({ code: 'none-new' });
    });
  });

  it('names the new tests that were skipped when none passes', () => {
    const candidate = testRun({ 'a.test.js: old': 'passed', 'b.test.js: new': 'skipped' });
    expect(judge({ candidate, alteredTests: [], baseWithNewTests: undefined })).toMatchObject({
      result: 'fail',
      required: true,
      reason: expect.stringMatching(/: new$/),
    });
  });

  it('names the new tests that the command did not run', () => {
    const { cases } = readTestCases(
      'tests/new.rs',
      '#[cfg(feature = "x")]\n#[test]\nfn hidden() { assert!(f()); }\n',
    );
    const candidate = testRun({ 'a.test.js: old': 'passed' });
    const alteredTests = [
      { file: 'tests/new.rs', cases: { altered: cases, unaltered: [] }, throughHelpers: false },
    ];
    expect(judge({ candidate, alteredTests, baseWithNewTests: undefined })).toMatchObject({
      code: 'none-new',
      reason: expect.stringMatching(/: hidden$/),
    });
  });

  it('names the new tests that pass anyway, in addition to those that bite', () => {
    const candidate = testRun({ 'b.test.js: bites': 'passed', 'b.test.js: idle': 'passed' });
    const baseWithNewTests = testRun(
      { 'b.test.js: bites': 'failed', 'b.test.js: idle': 'passed' },
      { exit: 1 },
    );
    expect(judge({ candidate, baseWithNewTests })).toMatchObject({
      result: 'pass',
      warnings: [expect.stringMatching(/: idle$/)],
    });
  });

  it('counts a test whose file does not load on the base as failing there', () => {
    const baseWithNewTests = testRun(
      { 'a.test.js: old': 'passed' },
      { exit: 1, faults: [{ file: 'b.test.js', message: 'cannot find ./b.js' }] },
    );
    expect(judge({ baseWithNewTests }).result).toBe('pass');
  });

  it('does not count a test that uses nothing of what keeps its file from loading', () => {
    const baseWithNewTests = testRun(
      {},
      { exit: 1, faults: [{ file: 'b.test.js', message: 'no export b' }] },
    );
    const candidate = testRun({ 'b.test.js: idle': 'passed', 'b.test.js: biting': 'passed' });
    const keys = (...names: string[]) => new Set(names.map((name) => testKey({ file: 'b.test.js', name })));
    const judged = (...names: string[]) =>
      judge({ candidate, base: testRun({}), baseWithNewTests, testsWithoutNewNames: keys(...names) });
    expect(judged('idle').result).toBe('pass');
    expect(judged('idle', 'biting')).toMatchObject({ result: 'fail', code: 'pass-without-change' });
  });

  it('counts the Go tests of a package that does not compile on the base as failing there, and no others', () => {
    const inPackage = (home: string) => ({
      ...testRun({}),
      results: [{ name: 'TestNew', file: `${home}/b_test.go`, package: home, status: 'passed' as const }],
    });
    const baseWithNewTests = testRun(
      { 'c/c_test.go: TestOld': 'passed' },
      { exit: 1, faults: [{ file: 'm/a_test.go', package: 'm', message: 'm does not compile' }] },
    );
    expect(judge({ candidate: inPackage('m'), baseWithNewTests }).result).toBe('pass');
    expect(judge({ candidate: inPackage('n'), baseWithNewTests }).result).toBe('absent');
  });

  it('counts every test as failing on a base that cannot be built with them', () => {
    expect(judge({ baseWithNewTests: testRun({}, { exit: 2 }) }).result).toBe('pass');
  });

  it('does not count a test that did not run without an error', () => {
    const judged = judge({ baseWithNewTests: testRun({ 'a.test.js: old': 'passed' }, { exit: 0 }) });
    expect(judged).toMatchObject({ result: 'absent', required: true });
    const elsewhere = testRun(
      { 'a.test.js: old': 'passed' },
      { exit: 1, faults: [{ file: 'c.test.js', message: 'x' }] },
    );
    expect(judge({ baseWithNewTests: elsewhere })).toMatchObject({ result: 'absent', required: true });
  });

  it('only warns about tests in the file of the code, as in Rust', () => {
    for (const file of ['', 'src/lib.rs: ']) {
      const run = (...names: string[]) =>
        testRun(Object.fromEntries(names.map((name) => [`${file}${name}`, 'passed'])));
      const judged = judge({ candidate: run('old', 'new'), base: run('old'), baseWithNewTests: run('old') });
      expect(judged).toMatchObject({ result: 'absent', required: false });
    }
  });

  it('fails when the tests that fail on the base assert nothing', () => {
    expect(judge({ assertionlessTestFiles: ['b.test.js'] })).toMatchObject({
      result: 'fail',
      reason: expect.stringMatching(/: new$/),
    });
  });

  it('counts an old test that was altered and fails on the base', () => {
    const candidate = testRun({ 'a.test.js: old': 'passed' });
    const baseWithNewTests = testRun({ 'a.test.js: old': 'failed' }, { exit: 1 });
    expect(
      judge({
        candidate,
        baseWithNewTests,
        alteredTests: [{ file: 'a.test.js', cases: undefined, throughHelpers: false }],
      }).result,
    ).toBe('pass');
  });

  it('counts an old test that fails on the base with the test data of the change', () => {
    const old = testRun({ 'a.test.js: old': 'passed', 'a.test.js: other': 'passed' });
    const withData = testRun({ 'a.test.js: old': 'failed', 'a.test.js: other': 'passed' }, { exit: 1 });
    const facts = { base: old, candidate: old, alteredTests: [] };
    expect(judge({ ...facts, baseWithNewTests: withData }).result).toBe('pass');
    expect(judge({ ...facts, baseWithNewTests: old }).result).toBe('fail');
    const failing = testRun({ 'a.test.js: old': 'failed', 'a.test.js: other': 'passed' });
    expect(judge({ ...facts, candidate: failing, baseWithNewTests: withData }).result).toBe('fail');
  });

  describe('if a new file that does not load ends the process of all tests', () => {
    const old = testRun({ 'a.test.js: old': 'passed' });
    const candidate = testRun({ 'a.test.js: old': 'passed', 'b.test.js: new': 'passed' });
    const cutOff = (...files: string[]) => {
      const run = testRun(Object.fromEntries(files.map((file) => [file, 'failed' as const])), { exit: 1 });
      return { ...run, results: run.results.map((one) => ({ ...one, unfinished: true as const })) };
    };
    const facts = { base: old, candidate, alteredTests: [], baseWithNewTests: cutOff('a.test.js: old') };

    it('counts the tests of that file', () => {
      expect(judge(facts)).toMatchObject({ result: 'pass', reason: expect.stringMatching(/^1 of 1 new/) });
    });

    it('counts no test that does not use what it imports, and no old test that did not end', () => {
      const testsWithoutNewNames = new Set([testKey({ file: 'b.test.js', name: 'new' })]);
      expect(judge({ ...facts, testsWithoutNewNames })).toMatchObject({ code: 'pass-without-change' });
    });

    it('counts no new test of another file that did not end, unless it is the one that ends the process', () => {
      const withOther = testRun({ ...namesOf(candidate), 'c.test.js: other': 'passed' });
      const testsWithoutNewNames = new Set([testKey({ file: 'b.test.js', name: 'new' })]);
      const baseWithNewTests = cutOff('a.test.js: old', 'c.test.js: other');
      const both = { ...facts, candidate: withOther, baseWithNewTests, testsWithoutNewNames };
      expect(judge(both)).toMatchObject({ code: 'pass-without-change' });
      const alone = testRun({ ...namesOf(old), 'c.test.js: other': 'passed' });
      expect(judge({ ...facts, candidate: alone, baseWithNewTests })).toMatchObject({ result: 'pass' });
    });
  });

  it('is absent if the base cannot run or finish, and a warning if the runner names no tests', () => {
    expect(judge({ baseWithNewTests: undefined })).toMatchObject({ result: 'absent', required: true });
    const hanging = testRun({}, { exit: null, timed_out: true });
    expect(judge({ base: hanging, baseWithNewTests: hanging })).toMatchObject({
      result: 'absent',
      required: true,
    });
    expect(judge({ candidate: testRun({}) })).toMatchObject({ result: 'absent', required: false });
  });

  it('counts a new test that hangs without the change, but none that passes there or is slow everywhere', () => {
    const limit = { exit: null, timed_out: true, duration_ms: 180_000 };
    const hanging = testRun({ 'a.test.js: old': 'passed' }, limit);
    expect(judge({ baseWithNewTests: hanging })).toMatchObject({ result: 'pass', required: true });
    const idle = { 'a.test.js: old': 'passed', 'b.test.js: new': 'passed' } as const;
    expect(judge({ baseWithNewTests: testRun(idle, limit) })).toMatchObject({ code: 'pass-without-change' });
    const empty = { baseWithNewTests: hanging, assertionlessTestFiles: ['b.test.js'] };
    expect(judge(empty)).toMatchObject({ code: 'assert-nothing' });
    const slow = { baseWithNewTests: hanging, candidate: testRun(idle, { duration_ms: 170_000 }) };
    expect(judge(slow)).toMatchObject({ result: 'absent', required: true, code: 'not-run' });
  });

  it('counts a command without test names that hangs without the change', () => {
    const passing = testRun({ 'npm test': 'passed' });
    const baseWithNewTests = testRun({}, { exit: null, timed_out: true, duration_ms: 180_000 });
    const testFiles = ['test/a.js'];
    const unnamed = { command: 'npm test', probe: { ran: false as const, why: '' } };
    const facts = { base: passing, candidate: passing, baseWithNewTests, testFiles, unnamed };
    expect(judge(facts)).toMatchObject({ result: 'pass', code: 'unnamed' });
    expect(judge({ ...facts, assertionlessTestFiles: ['test/a.js'] })).toMatchObject({
      code: 'assert-nothing',
    });
    expect(judge({ ...facts, base: baseWithNewTests })).toMatchObject({ result: 'absent', code: 'not-run' });
  });

  it('is required of features and bug fixes only', () => {
    expect(judge({ rules: { taskTypes: ['refactor'] } })).toMatchObject({
      result: 'absent',
      required: false,
    });
    expect(judge({ rules: { taskTypes: ['documentation', 'bugfix'] } }).required).toBe(true);
  });

  it('respects a person’s permission for tests to pass on the base', () => {
    const idle = testRun({ 'a.test.js: old': 'passed', 'b.test.js: new': 'passed' });
    expect(judge({ baseWithNewTests: idle, rules: { testsMayPassOnBase: true } }).result).toBe('pass');
    expect(judge({ baseWithNewTests: idle, rules: { testsMayPassOnBase: ['new'] } }).result).toBe('pass');
    expect(judge({ baseWithNewTests: idle, rules: { testsMayPassOnBase: ['other'] } }).result).toBe('fail');
  });
});
