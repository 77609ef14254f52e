import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import {
  comparing,
  listing,
  type PathChange,
  readChanges,
  readEntries,
  type TreeEntry,
} from '../platform/git/git-tree.ts';
import type { Repository } from '../platform/git/repository.ts';
import { CHANGED_LINES_DIFF } from './coverage/changed-lines.ts';

export interface TreeComparison {
  changes: PathChange[];
  /** In the form that `changedLines` reads. */
  diff: string;
  entries: TreeEntry[];
  baseEntries: TreeEntry[];
  /** Moved files, from their path on the base to their path in the candidate. */
  renames: ReadonlyMap<string, string>;
}

/**
 * The content of a tree and its base and their differences, in one git call: starting git four times costs more than
 * its answers.
 */
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

/** Larger files are data; the diff of one can exceed a process's output limit. */
const MAX_BYTES = 16 * 1024 * 1024;
/** A typical number of lines for a text of that size. */
const LINES_OF_LARGE_FILE = 200_000;
const TIMEOUT_MS = 5 * 60_000;

/** The diff of two trees in the form that `changedLines` reads. Every line of a large file counts as changed. */
async function diffOfTrees(
  repository: Repository,
  [from, to]: readonly [string, string],
  changes: readonly PathChange[],
  entries: readonly TreeEntry[],
): Promise<string> {
  const paths = changes.filter(({ change }) => change !== 'deleted').map(({ path }) => path);
  const seen = paths.filter((path) => sizeOf(join(repository.root, path)) > MAX_BYTES);
  // The working files may belong to another tree; git has the sizes, at the cost of a process.
  const large = seen.length > 0 ? await largeFiles(repository, paths, entries) : [];
  const diff = async (without: readonly string[]) => {
    const excluded = without.map((path) => `:(exclude,top,literal)${path}`);
    const args = [...CHANGED_LINES_DIFF, '--text', from, to, '--', ':/', ...excluded];
    const printed = await repository.run(args, { timeoutMs: TIMEOUT_MS });
    return [printed, ...without.map(wholeFile)].join('');
  };
  try {
    return await diff(large);
  } catch (error) {
    const found = seen.length > 0 ? [] : await largeFiles(repository, paths, entries);
    if (found.length === 0) throw error;
    return diff(found);
  }
}

async function largeFiles(
  repository: Repository,
  paths: readonly string[],
  entries: readonly TreeEntry[],
): Promise<string[]> {
  const wanted = new Set(paths);
  const files = entries.filter(({ path, mode }) => wanted.has(path) && mode !== '160000');
  const input = files.map(({ object }) => `${object}\n`).join('');
  const printed = await repository.run(['cat-file', '--batch-check=%(objectsize)'], { input });
  const sizes = printed.split('\n').map(Number);
  return files.filter((_, index) => (sizes[index] ?? 0) > MAX_BYTES).map(({ path }) => path);
}

function wholeFile(path: string): string {
  const shown = /[\n\t"\\]/.test(path) ? JSON.stringify(`b/${path}`) : `b/${path}`;
  return `diff --git a b\n+++ ${shown}\n@@ -0,0 +1,${LINES_OF_LARGE_FILE} @@\n${'+\n'.repeat(LINES_OF_LARGE_FILE)}`;
}

function sizeOf(path: string): number {
  try {
    return lstatSync(path).size;
  } catch {
    // Safe: git then reports the file as too large.
    return 0;
  }
}
