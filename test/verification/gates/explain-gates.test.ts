import { describe, expect, it } from 'vitest';
import type { Facts } from '../../../src/verification/facts.ts';
import { explainGates } from '../../../src/verification/gates/explain-gates.ts';
import { judgeGates } from '../../../src/verification/gates/gates.ts';
import { checkRun, someFacts, testRun } from './facts-fixture.ts';

function explained(over: Partial<Omit<Facts, 'rules'>>, name: string) {
  const all = someFacts(over);
  const found = explainGates(judgeGates(all), all).find(({ gate }) => gate === name);
  if (!found) throw new Error(`there is no gate ${name}`);
  return { ...found, details: found.details ?? [] };
}

describe('a gate that does not pass', () => {
  it('shows the command and the failing test with its assertion', () => {
    const candidate = testRun({ 'a.test.js: adds': 'failed', 'a.test.js: is empty': 'passed' }, { exit: 1 });
    const results = candidate.results.map((test) =>
      test.status === 'failed' ? { ...test, message: 'expected 4 to be 3\n\n    at x (a.js:1:1)' } : test,
    );
    const { details, remedy } = explained({ candidate: { ...candidate, results } }, 'tests');
    expect(details).toEqual(['$ npm test (exit 1)', '✗ adds (a.test.js)', '  expected 4 to be 3']);
    expect(remedy).toBeTypeOf('string');
  });

  it('shows the command’s output if no test is named, without npm’s own lines', () => {
    const output_tail =
      'src/a.ts(3,7): error TS2322: no\nnpm error Lifecycle script `test` failed with error:\nnpm error code 2\n';
    const { details, reason } = explained({ candidate: testRun({}, { exit: 2, output_tail }) }, 'tests');
    expect(details).toEqual(['$ npm test (exit 2)', '  src/a.ts(3,7): error TS2322: no']);
    expect(reason).toContain('error TS2322');
  });

  it('names only failures beyond a red base', () => {
    const base = testRun({ old: 'failed', adds: 'passed' }, { exit: 1 });
    const candidate = testRun({ old: 'failed', adds: 'failed' }, { exit: 1 });
    const { reason, result } = explained({ base, candidate }, 'tests');
    expect(result).toBe('fail');
    expect(reason).toContain('adds');
    expect(reason).not.toContain('old');
    const same = explained(
      { base, candidate: testRun({ old: 'failed', adds: 'passed' }, { exit: 1 }) },
      'tests',
    );
    expect(same).toMatchObject({ result: 'fail', remedy: expect.stringContaining('base') });
  });

  it('names many failing tests by their files', () => {
    const tests = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`a.test.js: case ${index}`, 'failed' as const]),
    );
    const { reason } = explained({ candidate: testRun(tests, { exit: 1 }) }, 'tests');
    expect(reason).toMatch(/\b60\b.*\b60\b.*\ba\.test\.js \(60\)/);
  });

  it('shows the coverage command’s output only if the tests pass', () => {
    const run = (exit: number) => testRun({ adds: exit === 0 ? 'passed' : 'failed' }, { exit });
    const coverage = (exit: number) => {
      const { evidence } = run(exit);
      const missing = { measured: false as const, why: 'no report', evidence };
      return explained({ candidate: run(exit), coverage: missing }, 'coverage');
    };
    expect(coverage(0).details).toHaveLength(1);
    expect(coverage(1).details).toEqual([]);
    expect(coverage(1).remedy).not.toBe(coverage(0).remedy);
  });

  it('shows the command of every check that failed', () => {
    const lint = checkRun({ name: 'lint' }, 'fail');
    const { details } = explained({ checks: [lint, checkRun({ name: 'docs' }, 'pass')] }, 'checks');
    expect(details).toEqual([`$ ${lint.evidence.command} (exit 0)`]);
  });
});

it('a set-up that fails because the change removes the lock file names that file', () => {
  const changes = [{ path: 'package-lock.json', change: 'deleted' as const }];
  const { remedy } = explained({ notRun: 'the set-up failed', candidate: undefined, changes }, 'tests');
  expect(remedy).toContain('package-lock.json');
});

it('a passing gate has nothing to explain', () => {
  const { details, remedy } = explained({ candidate: testRun({ adds: 'passed' }) }, 'tests');
  expect({ details, remedy }).toEqual({ details: [], remedy: undefined });
});
