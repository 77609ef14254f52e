import { fitsGlob } from '../../domain/fits-glob.ts';
import { type TestResult, testKey } from '../../domain/test-report.ts';
import type { TestRun } from '../facts.ts';
import { type Gate, some } from './gate.ts';

/** No test that was there is gone, skipped or emptied, unless a person said so. */
export const noTestLostGate: Gate = {
  name: 'no-test-lost',
  judge({ rules, base, candidate, losses }) {
    const told = (fails: boolean) =>
      losses
        .filter(({ severity }) => (severity === 'fail') === fails)
        .map(({ file, words }) => `${file}: ${words.replace(/\.$/, '')}`);
    const lost = told(true);
    const warnings = told(false);
    const evidence = [base, candidate].flatMap((run) => (run ? [run.evidence.id] : []));
    const ran = base && candidate && candidate.results.length > 0 ? compareRuns(base, candidate) : NOTHING;
    // What a person agreed to, or what only moved, is in the files' comparison; the runs add what that cannot see.
    const excused = new Set(losses.filter(({ severity }) => severity !== 'fail').map(({ name }) => name));
    const unseen = ran.lost.filter(
      (test) =>
        !excused.has(test.name) && !excused.has(lastPart(test.name)) && !isAgreed(test, rules.removesTests),
    );
    const all = [...lost, ...unseen.map(({ name, how }) => `${name} ${how}`)];
    if (all.length > 0)
      return { result: 'fail', required: true, reason: some([...new Set(all)], 3), warnings, evidence };
    const renamed = ran.renamed.length > 0 ? [`no longer under this name: ${some(ran.renamed)}`] : [];
    const reason = base
      ? `all ${count(base)} tests that passed on the base still run`
      : 'no test file lost a test';
    return { result: 'pass', required: true, reason, warnings: [...warnings, ...renamed], evidence };
  },
};

interface RunComparison {
  lost: { name: string; file: string; how: string }[];
  renamed: string[];
}

const NOTHING: RunComparison = { lost: [], renamed: [] };

function compareRuns(base: TestRun, candidate: TestRun): RunComparison {
  const now = new Map(candidate.results.map((result) => [testKey(result), result]));
  const passed = base.results.filter(({ status }) => status === 'passed');
  const lost: RunComparison['lost'] = [];
  const missing: TestResult[] = [];
  for (const test of passed) {
    const status = now.get(testKey(test))?.status;
    if (status === undefined) missing.push(test);
    else if (status === 'skipped' || status === 'todo')
      lost.push({ name: test.name, file: test.file ?? '', how: `is now ${status}` });
  }
  // Names may be made of data; a file that runs as many tests as before has not lost any.
  const before = executedByFile(base.results);
  const after = executedByFile(candidate.results);
  const renamed: string[] = [];
  for (const { name, file = '' } of missing) {
    if ((after.get(file) ?? 0) >= (before.get(file) ?? 0)) renamed.push(name);
    else lost.push({ name, file, how: 'no longer runs' });
  }
  return { lost, renamed };
}

function executedByFile(results: readonly TestResult[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { file = '', status } of results)
    if (status === 'passed' || status === 'failed') counts.set(file, (counts.get(file) ?? 0) + 1);
  return counts;
}

function isAgreed(
  { name, file }: { name: string; file: string },
  removes: true | readonly string[],
): boolean {
  if (removes === true) return true;
  return removes.some((glob) =>
    [name, lastPart(name), file].some((text) => text === glob || fitsGlob(text, glob)),
  );
}

function count({ results }: TestRun): number {
  return results.filter(({ status }) => status === 'passed').length;
}

function lastPart(name: string): string {
  return name.split(' > ').at(-1) ?? name;
}
