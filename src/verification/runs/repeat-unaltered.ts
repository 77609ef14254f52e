import type { BaseTestsRun, TestRun } from '../facts.ts';
import { keyInFile } from '../test-side/stable-name.ts';

interface Repetition {
  candidate: TestRun;
  /** The change alters neither the test nor code or data that it uses, as far as can be told. */
  isUnaltered(test: { name: string; file: string }): boolean;
  /** Runs the base's tests of these files again; a string is the reason why that was not possible. */
  repeat(files: readonly string[]): Promise<TestRun | string>;
}

/**
 * A test that the change does not alter has already passed in the candidate's own run. If it fails among the base's tests,
 * it may be flaky: it runs once more, and only a second failure counts. Altered tests get no second run.
 */
export async function repeatUnaltered(
  first: BaseTestsRun | undefined,
  { candidate, isUnaltered, repeat }: Repetition,
): Promise<BaseTestsRun | undefined> {
  if (!first?.ran || first.run.evidence.timed_out) return first;
  const passed = passedIn(candidate);
  const doubtful = first.changed.filter(
    ({ name, file, outcome, accepted }) =>
      outcome === 'fails' &&
      !accepted &&
      file !== undefined &&
      passed.has(keyInFile({ name, file })) &&
      isUnaltered({ name, file }),
  );
  if (doubtful.length === 0) return first;
  const second = await repeat([...new Set(doubtful.flatMap(({ file }) => file ?? []))]);
  if (typeof second === 'string') return first;
  const nowPassed = passedIn(second);
  const flaky = doubtful.filter((test) => nowPassed.has(keyInFile(test)));
  return { ...first, changed: first.changed.filter((test) => !flaky.includes(test)), flaky };
}

/** The tests that passed each time they ran. */
function passedIn({ results }: TestRun): Set<string> {
  const failed = new Set(results.filter(({ status }) => status !== 'passed').map(keyInFile));
  return new Set(results.map(keyInFile).filter((key) => !failed.has(key)));
}
