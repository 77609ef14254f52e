import {
  comparing,
  listing,
  type PathChange,
  readChanges,
  readEntries,
  type TreeEntry,
} from '../platform/git-tree.ts';
import type { Repository } from '../platform/repository.ts';
import { CHANGED_LINES_DIFF } from './coverage/changed-lines.ts';

export interface TreeComparison {
  changes: PathChange[];
  /** As `changedLines` reads it. */
  diff: string;
  entries: TreeEntry[];
  baseEntries: TreeEntry[];
}

/** What a tree and its base hold and how they differ, in one go: starting git four times costs more than its answers. */
export async function compareTrees(
  repository: Repository,
  baseTree: string,
  tree: string,
): Promise<TreeComparison> {
  const [changes = '', diff = '', entries = '', baseEntries = ''] = await repository.runEach([
    comparing(baseTree, tree),
    [...CHANGED_LINES_DIFF, '--text', baseTree, tree],
    listing(tree),
    listing(baseTree),
  ]);
  return {
    changes: readChanges(changes),
    diff,
    entries: readEntries(entries),
    baseEntries: readEntries(baseEntries),
  };
}
