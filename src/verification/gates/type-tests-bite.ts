import type { Facts, TestRun } from '../facts.ts';
import { findTypeTests } from '../test-side/find-test-side.ts';
import { type Judgement, some } from './gate.ts';

/** Type tests bite if the test command fails with them on the base while every named test passes. */
export function judgeTypeTests(
  { changes, base, baseWithNewTests }: Facts,
  evidence: string[],
): Judgement | undefined {
  const typeTests = findTypeTests(changes);
  if (typeTests.length === 0 || !base || !baseWithNewTests) return undefined;
  if (failsWithoutName(base, baseWithNewTests)) {
    const reason = `the test command fails with ${some(typeTests)} without the change`;
    return { result: 'pass', required: true, reason, evidence };
  }
  const reason = `the test command passes with ${some(typeTests)} without the change`;
  return { result: 'fail', required: true, code: 'pass-without-change', reason, evidence };
}

/** Scripts next to named tests bite if the test command fails with them on the base while every named test passes. */
export function judgeTestScripts(
  { testScripts = [], base, baseWithNewTests }: Facts,
  { results }: TestRun,
  evidence: string[],
): Judgement | undefined {
  const scripts = testScripts.filter((path) => results.every(({ file }) => file !== path));
  if (scripts.length === 0 || !base || !baseWithNewTests || !failsWithoutName(base, baseWithNewTests))
    return undefined;
  const reason = `the test command fails with ${some(scripts, 3)} without the change`;
  return { result: 'pass', required: true, code: 'unnamed', reason, evidence };
}

function failsWithoutName(base: TestRun, { evidence, results }: TestRun): boolean {
  const { exit, timed_out } = evidence;
  return (
    base.evidence.exit === 0 && exit !== 0 && !timed_out && results.every(({ status }) => status !== 'failed')
  );
}
