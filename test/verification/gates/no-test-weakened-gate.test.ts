import { describe, expect, it } from 'vitest';
import type { ChangedTest, GateRules } from '../../../src/verification/facts.ts';
import { noTestWeakenedGate } from '../../../src/verification/gates/no-test-weakened-gate.ts';
import { rewritingRun, someFacts, testRun } from './facts-fixture.ts';

const CHANGED: ChangedTest = {
  name: 'prices > sums the items of a basket',
  file: 'test/price.test.js',
  outcome: 'fails',
  message: 'expected 6, got 7\nat line 3',
  changedFiles: ['test/price.test.js', 'test/helper.js'],
  accepted: false,
  before: '',
  after: '',
};

function judge(changed: readonly ChangedTest[], rules: Partial<GateRules> = {}) {
  const run = testRun({}, { tree_is: 'candidate_with_base_tests', exit: 1 });
  const baseTests = { ran: true as const, run, compared: 3, changed };
  return noTestWeakenedGate.judge(someFacts({ baseTests, rules }));
}

describe('[VERIFY-10] the no-test-weakened gate', () => {
  it('is not required if the change alters no test of the base', () => {
    expect(noTestWeakenedGate.judge(someFacts())).toMatchObject({ result: 'absent', required: false });
  });

  it('is absent and required if the base’s tests could not run', () => {
    const baseTests = { ran: false as const, why: 'the set-up failed' };
    expect(noTestWeakenedGate.judge(someFacts({ baseTests }))).toMatchObject({
      result: 'absent',
      required: true,
    });
  });

  it('passes if every base version still passes', () => {
    expect(judge([])).toMatchObject({ result: 'pass', required: true });
  });

  it('fails otherwise, with the test, its message and the commands to accept it', () => {
    const { result, reason } = judge([CHANGED]);
    expect(result).toBe('fail');
    for (const part of [CHANGED.name, 'expected 6, got 7', 'changes_tests', ...CHANGED.changedFiles])
      expect(reason).toContain(part);
  });

  it('names commands that accept all the changed files: with many, their folder', () => {
    const accepts = (changedFiles: readonly string[]) =>
      [...(judge([{ ...CHANGED, changedFiles }]).reason ?? '').matchAll(/`guardkit accept ([^`]+)`/g)].map(
        ([, path]) => path,
      );
    const data = ['1', '2', '3'].map((name) => `test/data/${name}.json`);
    expect(accepts(data)).toEqual(data);
    expect(accepts([...data, 'test/data/deep/4.json'])).toEqual(['test/data']);
    expect(accepts([...data, 'test/price.test.js'])).toEqual(['test']);
    expect(accepts([...data, 'testing.js'])).toEqual([...data, 'testing.js']);
  });

  it('quotes a file whose name means something to a shell', () => {
    const { reason } = judge([{ ...CHANGED, changedFiles: ['test/$(touch x).js'] }]);
    expect(reason).toContain("`guardkit accept 'test/$(touch x).js'`");
  });

  it('passes tests that a person accepted, or that the task or a criterion on the base names', () => {
    expect(judge([{ ...CHANGED, accepted: true }]).result).toBe('pass');
    const lists = [true as const, ['sums the *'], [CHANGED.name], ['test/price.test.js'], ['test/*.test.js']];
    for (const changesTests of lists) expect(judge([CHANGED], { changesTests }).result).toBe('pass');
    const criteria = ['Sums the items of a basket with the delivery fee'];
    expect(judge([CHANGED], { criteria }).result).toBe('pass');
    expect(judge([CHANGED], { removesTests: ['test/price.test.js'] }).result).toBe('pass');
  });

  it('is not satisfied by a criterion or a list that names other tests', () => {
    expect(judge([CHANGED], { changesTests: ['multiplies'] }).result).toBe('fail');
    expect(judge([CHANGED], { criteria: ['The items are shown', 'AC-001 works'] }).result).toBe('fail');
    expect(judge([{ ...CHANGED, name: 'works' }], { criteria: ['It works'] }).result).toBe('fail');
  });

  it('passes a test of unknown place if the task lists all the files that may contain it', () => {
    const unplaced = { ...CHANGED, name: 'npm test', file: undefined };
    expect(judge([unplaced], { changesTests: ['test/*.js'] }).result).toBe('pass');
    expect(judge([unplaced], { changesTests: ['test/price.test.js'] }).result).toBe('fail');
  });

  it('only warns about tests that cannot be compared', () => {
    const { result, warnings } = judge([{ ...CHANGED, outcome: 'not-comparable' }]);
    expect(result).toBe('pass');
    expect(warnings?.join()).toContain(CHANGED.name);
  });

  it('fails if the run changed the base’s tests', () => {
    const baseTests = {
      ran: true as const,
      run: rewritingRun('test/price.test.js'),
      compared: 3,
      changed: [],
    };
    expect(noTestWeakenedGate.judge(someFacts({ baseTests }))).toMatchObject({
      result: 'fail',
      code: 'tests-rewritten',
    });
  });
});
