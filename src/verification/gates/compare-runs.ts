import { type TestResult, testKey } from '../../domain/entities/test-report.ts';
import type { TestRun } from '../facts.ts';
import { groupBy } from '../test-files/match-tests.ts';
import { nameInFile, stableKey, stableName } from '../test-side/stable-name.ts';

export interface LostTest {
  code: 'skipped' | 'not-run';
  name: string;
  file: string;
  how: string;
}

export interface RunComparison {
  lost: LostTest[];
  renamed: TestResult[];
}

/**
 * Finds the tests that passed on the base and no longer run. Each test of the candidate is the counterpart of one test: of
 * the same name, or else of one whose name differs in parts that vary. `unchanged`: files that are the same on both sides.
 */
export function compareRuns(
  base: TestRun,
  candidate: TestRun,
  unchanged: ReadonlySet<string> = new Set(),
): RunComparison {
  const isIn = (results: readonly TestResult[]) => {
    const keys = new Set(results.map(testKey));
    return (test: TestResult) => keys.has(testKey(test));
  };
  const [isKnown, isKept] = [isIn(base.results), isIn(candidate.results)];
  const lost: LostTest[] = [];
  const missing: TestResult[] = [];
  const fresh = new Set(candidate.results.filter((test) => !isKnown(test) && isExecuted(test)));

  const sameName = groupBy(candidate.results.filter(isKnown), testKey);
  for (const [key, tests] of groupBy(base.results.filter(isKept), testKey))
    lost.push(...newlySkipped(tests, sameName.get(key) ?? []));

  const likeName = groupBy(
    candidate.results.filter((test) => !isKnown(test)),
    stableKey,
  );
  const gone = base.results.filter((test) => !isKept(test));
  for (const [key, tests] of groupBy(gone, stableKey)) {
    const now = likeName.get(key) ?? [];
    const skipped = newlySkipped(tests, now);
    lost.push(...skipped);
    const left = tests.filter(isPassed).slice(skipped.length);
    const counterparts = now.filter(isExecuted).slice(0, left.length);
    for (const test of counterparts) fresh.delete(test);
    missing.push(...left.slice(counterparts.length));
  }
  const { renamed, notRun } = findElsewhere(missing, fresh, base, candidate, unchanged);
  return { lost: [...lost, ...notRun], renamed };
}

/** As many of the tests that passed as there are more skipped ones now. */
function newlySkipped(before: readonly TestResult[], after: readonly TestResult[]): LostTest[] {
  const skipped = after.filter(isSkipped);
  const more = skipped.length - before.filter(isSkipped).length;
  return before
    .filter(isPassed)
    .slice(0, Math.max(0, more))
    .map(({ name, file = '' }) => ({ code: 'skipped', name, file, how: `is now ${skipped[0]?.status}` }));
}

/** Tests that moved to another file kept their name; each match counts once. */
function findElsewhere(
  missing: readonly TestResult[],
  fresh: ReadonlySet<TestResult>,
  base: TestRun,
  candidate: TestRun,
  unchanged: ReadonlySet<string>,
): { renamed: TestResult[]; notRun: LostTest[] } {
  const open = groupBy([...fresh], keptName);
  // Names may contain data; a file that runs as many tests as before has not lost any.
  const before = executedByPlace(base.results);
  const after = executedByPlace(candidate.results);
  const renamed: TestResult[] = [];
  const notRun: LostTest[] = [];
  for (const test of missing) {
    const { name, file = '' } = test;
    const choice = open.get(keptName(test)) ?? [];
    // A test is still in an unchanged file, so one of this name in another file is a different test.
    const at = choice.findIndex((one) => !unchanged.has(file) || one.file === file);
    if (at !== -1) choice.splice(at, 1);
    else if ((after.get(placeOf(test)) ?? 0) >= (before.get(placeOf(test)) ?? 0)) renamed.push(test);
    else notRun.push({ code: 'not-run', name, file, how: 'no longer runs' });
  }
  return { renamed, notRun };
}

/** The part of a test's name that stays when it moves to another file. */
function keptName(test: TestResult): string {
  return stableName(nameInFile(test));
}

function executedByPlace(results: readonly TestResult[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const test of results)
    if (isExecuted(test)) counts.set(placeOf(test), (counts.get(placeOf(test)) ?? 0) + 1);
  return counts;
}

/** The file, or the crate's module of a Rust test in a source file: of `calc (src/lib.rs) > add > tests > adds`, `add`. */
function placeOf({ name, file }: TestResult): string {
  return file ?? /^\S+ \([^()]+\.rs\) > (\S+) > /.exec(name)?.[1] ?? '';
}

export function isExecuted({ status }: TestResult): boolean {
  return status === 'passed' || status === 'failed';
}

function isSkipped(test: TestResult): boolean {
  return !isExecuted(test);
}

function isPassed({ status }: TestResult): boolean {
  return status === 'passed';
}

/** Test files that a run changed and that the same command leaves alone on the base. */
export function rewrittenBeyond(run: TestRun | undefined, base: TestRun | undefined): string[] {
  const before = new Set(base?.evidence.tests?.rewritten ?? []);
  return (run?.evidence.tests?.rewritten ?? []).filter((path) => !before.has(path));
}
