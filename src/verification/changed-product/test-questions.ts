import type { Repository } from '../../platform/git/repository.ts';
import type { TreeComparison } from '../compare-trees.ts';
import { groupBy } from '../test-files/match-tests.ts';
import { isTestSide } from '../test-side/find-test-side.ts';
import { readFiles } from '../test-side/read-files.ts';
import { questionsIn } from './asks-if-tested.ts';

export interface ProductChange {
  /** The changed product code, by path. */
  sources: ReadonlyMap<string, string>;
  changed: ReadonlyMap<string, ReadonlySet<number>>;
  isAccepted(path: string): boolean;
}

/**
 * Places, as `file:line`, where changed product code asks whether it is being tested: its tests do not show what it does
 * elsewhere. Those that the change only moves or formats do not count.
 */
export async function findTestQuestions(
  repository: Repository,
  { changes, baseEntries }: TreeComparison,
  { sources, changed, isAccepted }: ProductChange,
): Promise<string[]> {
  const asked = [...sources]
    .flatMap(([path, text]) => questionsIn(path, text).map((question) => ({ path, ...question })))
    .filter(({ path }) => !isAccepted(path));
  const isAdded = ({ path, lines }: (typeof asked)[number]) =>
    lines.some((line) => changed.get(path)?.has(line));
  if (!asked.some(isAdded)) return [];
  const paths = changes.map(({ path }) => path).filter((path) => !isTestSide(path));
  const before = await readFiles(repository, baseEntries, new Set(paths));
  const known = groupBy(
    before.flatMap(({ path, text }) => questionsIn(path, text)),
    ({ words }) => words,
  );
  const fresh = [...groupBy(asked, ({ words }) => words)].flatMap(([words, questions]) =>
    questions.length > (known.get(words)?.length ?? 0) ? questions.filter(isAdded) : [],
  );
  const places = new Map<string, Set<number>>();
  for (const { path, lines } of fresh)
    for (const line of lines)
      if (changed.get(path)?.has(line)) places.set(path, (places.get(path) ?? new Set()).add(line));
  return [...places].flatMap(([path, lines]) =>
    [...lines].sort((a, b) => a - b).map((line) => `${path}:${line}`),
  );
}
