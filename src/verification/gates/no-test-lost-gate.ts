import type { TestResult } from '../../domain/entities/test-report.ts';
import { fitsGlob } from '../../domain/protection/fits-glob.ts';
import type { TestRun } from '../facts.ts';
import { isResultOf } from '../test-files/match-tests.ts';
import type { TestLoss } from '../test-files/test-loss.ts';
import { modulePath } from '../test-side/compare-base-tests.ts';
import { compareRuns, isExecuted, type RunComparison } from './compare-runs.ts';
import { type Gate, some } from './gate.ts';

const NOTHING: RunComparison = { lost: [], renamed: [] };

/** No test of the base is gone, skipped or emptied, unless a person declared it. */
export const noTestLostGate: Gate = {
  name: 'no-test-lost',
  judge({ rules, base, candidate, losses, alteredTests, unchangedTestFiles }) {
    const found = (fails: boolean) => losses.filter(({ severity }) => (severity === 'fail') === fails);
    const lost = found(true);
    const warnings = found(false).map(describeLoss);
    const evidence = [base, candidate].flatMap((run) => (run ? [run.evidence.id] : []));
    const ran =
      base && candidate && candidate.results.length > 0
        ? compareRuns(base, candidate, unchangedTestFiles)
        : NOTHING;
    // The comparison of files covers accepted and moved tests; the runs add losses that it cannot see.
    const isExplained = explainedBy(losses, base?.results ?? [], candidate?.results ?? []);
    const unseen = ran.lost.filter(
      (test) => !isExplained(test) && !isReported(test, losses) && !isAgreed(test, rules.removesTests),
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
    const unread = base && unreadReport(base);
    if (unread !== undefined) {
      const reason = `the tests pass on the base, but which ones is unknown: ${unread}; let the command wait until the report is complete`;
      return { result: 'absent', required: true, code: 'base-unreadable', reason, warnings, evidence };
    }
    // Test names that change in an unchanged file contain data.
    const files = new Set(alteredTests.map(({ file }) => file));
    const names = ran.renamed.filter(({ file }) => file === undefined || files.has(file));
    const renamed = names.length > 0 ? [`renamed or replaced: ${some(names.map(({ name }) => name))}`] : [];
    const reason = base && candidate ? describeKept(base, candidate) : 'no test file lost a test';
    return { result: 'pass', required: true, reason, warnings: [...warnings, ...renamed], evidence };
  },
};

/** Why the tests that passed on the base have no names, although their runner wrote a report. */
function unreadReport({ evidence, results, faults }: TestRun): string | undefined {
  if (evidence.exit !== 0 || results.length > 0) return undefined;
  return faults.find(({ code }) => code === 'unreadable')?.message;
}

function describeLoss({ file, words }: TestLoss): string {
  return `${file}: ${words.replace(/\.$/, '')}`;
}

/**
 * Whether the comparison of files explains why a test no longer runs: it was removed as declared, or all its rows and subtests
 * run elsewhere or under another name. Where results have other files or none, its name has to do.
 */
function explainedBy(
  losses: readonly TestLoss[],
  base: readonly TestResult[],
  candidate: readonly TestResult[],
): (test: Pick<TestResult, 'name' | 'file'>) => boolean {
  // A test that is only altered has to run.
  const gone = losses.filter(
    ({ severity, type }) => severity !== 'fail' && type !== 'conditional' && type !== 'weakened',
  );
  const isPlaced = (one: TestLoss) => base.some((test) => isOf(test, one));
  const placed = gone.filter((one) => isPlaced(one) && isAccounted(one, base, candidate));
  const names = gone.flatMap((one) => (isPlaced(one) ? [] : namesOf(one, base)));
  return (test) =>
    names.some((name) => test.name === name || test.name.endsWith(` > ${name}`)) ||
    placed.some((one) => isOf(test, one));
}

/** In Rust with the modules of its file, if there is such a test. */
function namesOf({ file, name }: TestLoss, base: readonly TestResult[]): string[] {
  if (name === null) return [];
  const full = `${modulePath(file)}${name}`;
  return [base.some((test) => test.file === undefined && test.name.endsWith(` > ${full}`)) ? full : name];
}

function isAccounted(
  { severity, file, name, now }: TestLoss,
  base: readonly TestResult[],
  candidate: readonly TestResult[],
): boolean {
  if (severity === 'accepted' || now === undefined) return true;
  const count = (results: readonly TestResult[], place: Pick<TestLoss, 'file' | 'name'>) =>
    results.filter((test) => isExecuted(test) && isOf(test, place)).length;
  return count(candidate, now) >= count(base, { file, name });
}

function isOf(
  test: Pick<TestResult, 'name' | 'file'>,
  { file, name }: Pick<TestLoss, 'file' | 'name'>,
): boolean {
  return (
    name !== null && test.file === file && (isResultOf(test.name, name) || test.name.endsWith(` > ${name}`))
  );
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
function describeKept(base: TestRun, candidate: TestRun): string {
  const passed = base.results.filter(({ status }) => status === 'passed').length;
  if (passed === 0) return 'no test passed on the base, so none could be lost';
  if (candidate.results.length === 0) return 'no test file lost a test, but none ran';
  const red = base.results.some(({ status }) => status === 'failed') ? ' (others failed there)' : '';
  return `${passed} of ${passed} tests that passed on the base${red} still run`;
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
