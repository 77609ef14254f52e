import type { Facts, UnnamedSuite } from '../facts.ts';
import { canFail } from '../unnamed-tests/unnamed-suite.ts';
import { rewrittenBeyond } from './compare-runs.ts';
import { acceptCommands, type Gate, SETUP_FAILED, some } from './gate.ts';
import { judgeBeyondBase, judgeOnBase, type TestsJudgement } from './judge-test-run.ts';

/** The project's tests ran on this tree, by name, and all passed. */
export const testsGate: Gate = {
  name: 'tests',
  judge({ rules, candidate, base, notRun, redBaseAccepted, unnamed, testQuestions = [], equalities = [] }) {
    const rewritten = rewrittenBeyond(candidate, base);
    const judged: TestsJudgement = candidate
      ? unnamed
        ? judgeUnnamed(unnamed)
        : redBaseAccepted
          ? judgeBeyondBase(candidate, base)
          : judgeOnBase(candidate, base)
      : notRun === undefined
        ? { result: 'absent' as const, code: 'not-run', reason: NO_COMMAND }
        : { result: 'absent' as const, code: SETUP_FAILED, reason: notRun };
    const proved =
      judged.result === 'pass' ? (whyUnproven(rewritten, { testQuestions, equalities }) ?? judged) : judged;
    // For tests that must exist but may fail, only their absence blocks.
    const required = rules.testsMustPass || (rules.testsRequired && proved.result === 'absent');
    const runs = [candidate, ...(unnamed?.probe.ran ? [unnamed.probe.run] : [])];
    const evidence = runs.flatMap((run) => (run ? [run.evidence.id] : []));
    return { ...proved, required, ...(evidence.length > 0 ? { evidence } : {}) };
  },
};

/** Why tests that pass prove nothing. */
function whyUnproven(
  rewritten: readonly string[],
  { testQuestions, equalities }: Required<Pick<Facts, 'testQuestions' | 'equalities'>>,
): TestsJudgement | undefined {
  if (rewritten.length > 0) {
    const reason = `the run changed its own test files: ${some(rewritten, 3)}; other tests may have run than those of the tree`;
    return { result: 'fail', code: 'tests-rewritten', reason };
  }
  if (testQuestions.length === 0)
    return equalities.length === 0 ? undefined : { result: 'fail', ...aboutEqualities(equalities) };
  const files = filesOf(testQuestions);
  const reason = `the change asks whether it is being tested, at ${some(testQuestions, 3)}; so its tests do not show what it does elsewhere`;
  const remedy = `Let the code do the same in tests as elsewhere. If it must not, have a person accept the file with ${acceptCommands(files).join(', ')}.`;
  return { result: 'fail', code: 'asks-if-tested', reason, remedy };
}

function aboutEqualities(equalities: readonly string[]) {
  const reason = `the change makes values equal to everything, at ${some(equalities, 3)}; so tests that compare them cannot fail`;
  const remedy = `Compare with the other value. If it must not matter, have a person accept the file with ${acceptCommands(filesOf(equalities)).join(', ')}.`;
  return { code: 'equals-everything', reason, remedy };
}

function filesOf(places: readonly string[]): string[] {
  return [...new Set(places.map((place) => place.replace(/:\d+$/, '')))];
}

/** Its exit code counts only if it depends on the tests. */
function judgeUnnamed(suite: UnnamedSuite): TestsJudgement {
  const { command, probe } = suite;
  const how = 'use a supported runner, or set its report file in `verify.tests.report`';
  if (!probe.ran)
    return {
      result: 'absent',
      code: 'none-executed',
      reason: `\`${command}\` passed but reported no test, and ${probe.why}; ${how}`,
    };
  if (!canFail(suite))
    return {
      result: 'fail',
      code: 'cannot-fail',
      reason: `\`${command}\` also passes with a failing statement in ${some(probe.files, 3)}: it does not run these tests, or the code ends them early; ${how}`,
    };
  return {
    result: 'pass',
    code: 'unnamed',
    reason: `\`${command}\` passed; it reports no test names, so the command counts as one test`,
  };
}

const NO_COMMAND = 'no test command; add `tests: {command: …}` under `verify:` in .guardkit/config.yaml';
