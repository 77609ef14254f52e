import { overlayTree, type TreeEntry, writeBlob } from '../../platform/git/git-tree.ts';
import type { Repository } from '../../platform/git/repository.ts';

/** The words of a comment that excludes code from coverage; the last one is continued on the next line. */
const EXCLUSION =
  /(?:istanbul|\bc8|\bv8|node:coverage)\s{0,40}(?:ignore|disable)|\/[*/]\s{0,40}istanbul\s{0,40}$|pragma[:\s]\s{0,40}no\s{0,40}(?:cover|branch)|LCOV_EXCL|coverage:\s{0,4}ignore/gi;

/** Exclusions that the change adds. */
export interface ExclusionComments {
  /** The places, as `file:line`. */
  places: readonly string[];
  /** By path: the text in which these comments exclude nothing. Lines keep their numbers. */
  texts: ReadonlyMap<string, string>;
}

export function findExclusionComments(
  sources: ReadonlyMap<string, string>,
  changed: ReadonlyMap<string, ReadonlySet<number>>,
  isAccepted: (path: string) => boolean,
): ExclusionComments {
  const places: string[] = [];
  const texts = new Map<string, string>();
  for (const [path, source] of sources) {
    const lines = source.split('\n');
    const numbers = [...(changed.get(path) ?? [])].sort((a, b) => a - b);
    const found: string[] = [];
    for (const number of numbers) {
      const line = lines[number - 1] ?? '';
      const measured = line.replaceAll(EXCLUSION, (words) => words.replaceAll(/\w/g, 'x'));
      if (measured === line) continue;
      lines[number - 1] = measured;
      found.push(`${path}:${number}`);
    }
    if (found.length === 0 || isAccepted(path)) continue;
    places.push(...found);
    texts.set(path, lines.join('\n'));
  }
  return { places, texts };
}

/** The tree with these texts; undefined if there are none. */
export async function treeWithoutExclusions(
  repository: Repository,
  tree: string,
  entries: readonly TreeEntry[],
  { texts }: ExclusionComments,
): Promise<string | undefined> {
  if (texts.size === 0) return undefined;
  const replaced: TreeEntry[] = [];
  for (const entry of entries) {
    const text = texts.get(entry.path);
    if (text === undefined) continue;
    replaced.push({ ...entry, object: await writeBlob(repository, text) });
  }
  return overlayTree(repository, tree, replaced, [...texts.keys()]);
}
