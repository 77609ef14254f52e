import type { Repository } from '../../platform/git/repository.ts';
import type { TreeComparison } from '../compare-trees.ts';
import { readFiles } from '../test-side/read-files.ts';
import { linesThatAskIfTested } from './asks-if-tested.ts';

export interface ProductChange {
  /** The changed product code, by path. */
  sources: ReadonlyMap<string, string>;
  changed: ReadonlyMap<string, ReadonlySet<number>>;
  isAccepted(path: string): boolean;
}

/**
 * Places, as `file:line`, where changed product code asks whether it is being tested: its tests do not show what it does
 * elsewhere. Lines that the change only moves do not count.
 */
export async function findTestQuestions(
  repository: Repository,
  { changes, baseEntries }: TreeComparison,
  { sources, changed, isAccepted }: ProductChange,
): Promise<string[]> {
  const found = [...sources].flatMap(([path, text]) => {
    const added = changed.get(path);
    const lines = linesThatAskIfTested(path, text).filter((line) => added?.has(line));
    return lines.length === 0 || isAccepted(path) ? [] : [{ path, text, lines }];
  });
  if (found.length === 0) return [];
  const before = await readFiles(repository, baseEntries, new Set(changes.map(({ path }) => path)));
  const known = new Set(before.flatMap(({ text }) => trimmedLines(text)));
  return found.flatMap(({ path, text, lines }) => {
    const texts = trimmedLines(text);
    return lines.filter((line) => !known.has(texts[line - 1] ?? '')).map((line) => `${path}:${line}`);
  });
}

function trimmedLines(text: string): string[] {
  return text.split('\n').map((line) => line.trim());
}
