import {
  comparing,
  listing,
  type PathChange,
  readChanges,
  readEntries,
  type TreeEntry,
} from '../platform/git/git-tree.ts';
import type { Repository } from '../platform/git/repository.ts';
import { diffOfTrees } from './diff-of-trees.ts';

export interface TreeComparison {
  changes: PathChange[];
  /** As `changedLines` reads it. */
  diff: string;
  entries: TreeEntry[];
  baseEntries: TreeEntry[];
  /** Files that moved, from their path on the base to the one on the candidate. */
  renames: ReadonlyMap<string, string>;
}

/** What a tree and its base hold and how they differ, in one go: starting git four times costs more than its answers. */
export async function compareTrees(
  repository: Repository,
  baseTree: string,
  tree: string,
): Promise<TreeComparison> {
  const [changed = '', entryList = '', baseEntries = '', renames = ''] = await repository.runEach([
    comparing(baseTree, tree),
    listing(tree),
    listing(baseTree),
    findingRenames(baseTree, tree),
  ]);
  const changes = readChanges(changed);
  const entries = readEntries(entryList);
  return {
    changes,
    diff: await diffOfTrees(repository, [baseTree, tree], changes, entries),
    entries,
    baseEntries: readEntries(baseEntries),
    renames: readRenames(renames),
  };
}

function findingRenames(from: string, to: string): string[] {
  return ['diff-tree', '-r', '-z', '-M', '-l400', '--diff-filter=R', '--name-status', from, to];
}

function readRenames(text: string): Map<string, string> {
  const fields = text.split('\0').filter((field) => field !== '');
  const renames = new Map<string, string>();
  for (let at = 0; at + 2 < fields.length; at += 3) renames.set(fields[at + 1] ?? '', fields[at + 2] ?? '');
  return renames;
}
