import type { TestResult } from '../../domain/entities/test-report.ts';
import { fitsGlob } from '../../domain/protection/fits-glob.ts';
import type { TestRun } from '../facts.ts';
import { isResultOf } from '../test-files/match-tests.ts';
import type { TestLoss } from '../test-files/test-loss.ts';
import { nameInFile, stableKey, stableName } from '../test-side/stable-name.ts';
import { type Gate, some } from './gate.ts';

/** No test of the base is gone, skipped or emptied, unless a person declared it. */
export const noTestLostGate: Gate = {
  name: 'no-test-lost',
  judge({ rules, base, candidate, losses, alteredTests }) {
    const found = (fails: boolean) => losses.filter(({ severity }) => (severity === 'fail') === fails);
    const lost = found(true);
    const warnings = found(false).map(describeLoss);
    const evidence = [base, candidate].flatMap((run) => (run ? [run.evidence.id] : []));
    const ran = base && candidate && candidate.results.length > 0 ? compareRuns(base, candidate) : NOTHING;
    // The comparison of files covers accepted and moved tests; the runs add losses that it cannot see.
    const mild = losses.filter(({ severity }) => severity !== 'fail');
    const excused = new Set(mild.map(({ name }) => name));
    const rows = mild.filter((one) => isAccounted(one, base?.results ?? [], candidate?.results ?? []));
    const unseen = ran.lost.filter(
      (test) =>
        !excused.has(test.name) &&
        !excused.has(lastPart(test.name)) &&
        !rows.some((one) => isOf(test, one)) &&
        !isReported(test, losses) &&
        !isAgreed(test, rules.removesTests),
    );
    const all = [
      ...lost.map((one) => ({ code: one.type, words: describeLoss(one) })),
      ...unseen.map(({ code, name, how }) => ({ code, words: `${name} ${how}` })),
    ];
    const [first] = all;
    if (first) {
      const reason = some([...new Set(all.map(({ words }) => words))], 3);
      return { result: 'fail', required: true, code: first.code, reason, warnings, evidence };
    }
    // Test names that change in an unchanged file contain data.
    const files = new Set(alteredTests.map(({ file }) => file));
    const names = ran.renamed.filter(({ file }) => file === undefined || files.has(file));
    const renamed = names.length > 0 ? [`renamed or replaced: ${some(names.map(({ name }) => name))}`] : [];
    const reason = base ? describeKept(base) : 'no test file lost a test';
    return { result: 'pass', required: true, reason, warnings: [...warnings, ...renamed], evidence };
  },
};

function describeLoss({ file, words }: TestLoss): string {
  return `${file}: ${words.replace(/\.$/, '')}`;
}

/** Whether a test was removed as declared, or all its rows and subtests run elsewhere or under another name. */
function isAccounted(
  { severity, file, name, now }: TestLoss,
  base: readonly TestResult[],
  candidate: readonly TestResult[],
): boolean {
  if (severity === 'accepted') return true;
  if (now === undefined) return false;
  const count = (results: readonly TestResult[], place: Pick<TestLoss, 'file' | 'name'>) =>
    results.filter((test) => isExecuted(test) && isOf(test, place)).length;
  return count(candidate, now) >= count(base, { file, name });
}

function isOf(
  test: Pick<TestResult, 'name' | 'file'>,
  { file, name }: Pick<TestLoss, 'file' | 'name'>,
): boolean {
  return name !== null && test.file === file && isResultOf(test.name, name);
}

/** Whether the comparison of files already reported the test or its whole file as gone. */
function isReported({ name, file }: { name: string; file: string }, losses: readonly TestLoss[]): boolean {
  return losses.some(
    (loss) =>
      loss.severity === 'fail' &&
      loss.file === file &&
      (loss.type === 'file-deleted' || loss.name === name || lastPart(loss.name ?? '') === lastPart(name)),
  );
}

/** Only tests that passed on the base can be lost. */
function describeKept(base: TestRun): string {
  const passed = base.results.filter(({ status }) => status === 'passed').length;
  if (passed === 0) return 'no test passed on the base, so none could be lost';
  const red = base.results.some(({ status }) => status === 'failed') ? ' (others failed there)' : '';
  return `${passed} of ${passed} tests that passed on the base${red} still run`;
}

interface RunComparison {
  lost: { code: 'skipped' | 'not-run'; name: string; file: string; how: string }[];
  renamed: TestResult[];
}

const NOTHING: RunComparison = { lost: [], renamed: [] };

function compareRuns(base: TestRun, candidate: TestRun): RunComparison {
  const now = new Map(candidate.results.map((result) => [stableKey(result), result]));
  const passed = base.results.filter(({ status }) => status === 'passed');
  const lost: RunComparison['lost'] = [];
  const missing: TestResult[] = [];
  for (const test of passed) {
    const status = now.get(stableKey(test))?.status;
    if (status === undefined) missing.push(test);
    else if (status === 'skipped' || status === 'todo')
      lost.push({ code: 'skipped', name: test.name, file: test.file ?? '', how: `is now ${status}` });
  }
  // A test that moved to another file kept its name; each match counts once.
  const known = new Set(base.results.map(stableKey));
  const moved = new Map<string, number>();
  for (const test of candidate.results)
    if (!known.has(stableKey(test)) && isExecuted(test))
      moved.set(keptName(test), (moved.get(keptName(test)) ?? 0) + 1);
  // Names may contain data; a file that runs as many tests as before has not lost any.
  const before = executedByFile(base.results);
  const after = executedByFile(candidate.results);
  const renamed: TestResult[] = [];
  for (const test of missing) {
    const { name, file = '' } = test;
    const elsewhere = moved.get(keptName(test)) ?? 0;
    moved.set(keptName(test), elsewhere - 1);
    if (elsewhere > 0) continue;
    if ((after.get(file) ?? 0) >= (before.get(file) ?? 0)) renamed.push(test);
    else lost.push({ code: 'not-run', name, file, how: 'no longer runs' });
  }
  return { lost, renamed };
}

/** The part of a test's name that stays when it moves to another file. */
function keptName(test: TestResult): string {
  return stableName(nameInFile(test));
}

function executedByFile(results: readonly TestResult[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const test of results)
    if (isExecuted(test)) counts.set(test.file ?? '', (counts.get(test.file ?? '') ?? 0) + 1);
  return counts;
}

function isExecuted({ status }: TestResult): boolean {
  return status === 'passed' || status === 'failed';
}

/** Whether a person declared that the test is removed. */
export function isAgreed(
  { name, file = '' }: { name: string; file?: string | undefined },
  removes: true | readonly string[],
): boolean {
  if (removes === true) return true;
  return removes.some((glob) =>
    [name, lastPart(name), file].some((text) => text === glob || fitsGlob(text, glob)),
  );
}

function lastPart(name: string): string {
  return name.split(' > ').at(-1) ?? name;
}
