import { randomUUID } from 'node:crypto';
import { copyFileSync, lstatSync, mkdtempSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Repository } from './repository.ts';
import { explainSnapshotFailure } from './snapshot-failure.ts';

/** Generous: a first snapshot reads every file. */
const LONG_MS = 10 * 60_000;

/**
 * Writes the working files as a tree: tracked and untracked, without ignored files and excluded folders. Changes neither the
 * person's index nor their files.
 */
export async function snapshotTree(repository: Repository, exclude: readonly string[]): Promise<string> {
  try {
    return await writeSnapshot(repository, exclude);
  } catch (error) {
    throw await explainSnapshotFailure(repository, error);
  }
}

function writeSnapshot(repository: Repository, exclude: readonly string[]): Promise<string> {
  return withIndex(repository, 'copy', async (env) => {
    const add = [['add', '--all', '--sparse', '--', ':/'], ...writeTree(exclude)];
    const options = { env, timeoutMs: LONG_MS };
    const printed = await repository.runEach([['ls-files', '-v', '-z'], ...add], options);
    const flagged = records(printed[0] ?? '').filter((record) => !record.startsWith('H '));
    if (flagged.length === 0) return (printed.at(-1) ?? '').trim();
    await clearIndexFlags(repository, env, flagged);
    return (await repository.runAll(add, options)).trim();
  });
}

/** Clears assume-unchanged and skip-worktree flags: the files on disk count. */
async function clearIndexFlags(
  repository: Repository,
  env: Readonly<Record<string, string>>,
  flagged: readonly string[],
): Promise<void> {
  const clear = async (flag: string, paths: readonly string[]) => {
    if (paths.length === 0) return;
    const input = paths.map((path) => `${path}\0`).join('');
    await repository.run(['update-index', flag, '-z', '--stdin'], { env, input });
  };
  const paths = (letters: RegExp) =>
    flagged.filter((record) => letters.test(record)).map((record) => record.slice(2));
  await clear('--no-assume-unchanged', paths(/^[a-z]/));
  // In a sparse checkout these are missing on purpose.
  await clear(
    '--no-skip-worktree',
    paths(/^s/i).filter((path) => lstatSync(join(repository.root, path), { throwIfNoEntry: false })),
  );
}

/** The tree of a commit or another tree, without the excluded folders. */
export function treeWithout(
  repository: Repository,
  treeish: string,
  exclude: readonly string[],
): Promise<string> {
  return withIndex(repository, 'empty', async (env) => {
    const commands = [['read-tree', '--', treeish], ...writeTree(exclude)];
    return (await repository.runAll(commands, { env })).trim();
  });
}

/** A tree with some paths taken from another tree; a path missing there is removed. */
export async function overlayTree(
  repository: Repository,
  tree: string,
  other: string | readonly TreeEntry[],
  paths: readonly string[],
): Promise<string> {
  const listed = typeof other === 'string' ? await listTree(repository, other) : other;
  const entries = new Map(listed.map((entry) => [entry.path, entry]));
  return withIndex(repository, 'empty', async (env) => {
    const lines = paths.map((path) => {
      const entry = entries.get(path);
      return entry ? `${entry.mode} ${entry.object}\t${path}` : `0 ${'0'.repeat(tree.length)}\t${path}`;
    });
    const commands = [['read-tree', '--', tree], ['update-index', '-z', '--index-info'], ['write-tree']];
    return (await repository.runAll(commands, { env, input: `${lines.join('\0')}\0` })).trim();
  });
}

/** Writes files of a tree below a folder. */
export function exportFiles(
  repository: Repository,
  tree: string,
  paths: readonly string[],
  target: string,
): Promise<void> {
  return withIndex(repository, 'empty', async (env) => {
    const write = ['checkout-index', '-z', '--stdin', '--force', `--prefix=${target}/`];
    await repository.runAll([['read-tree', '--', tree], write], {
      env,
      input: paths.map((path) => `${path}\0`).join(''),
    });
  });
}

export interface TreeEntry {
  path: string;
  /** `100644`, `100755`, `120000` for a symbolic link, `160000` for a submodule. */
  mode: string;
  object: string;
}

export async function listTree(
  repository: Repository,
  tree: string,
  under: readonly string[] = [],
): Promise<TreeEntry[]> {
  return readEntries(await repository.run(listing(tree, under)));
}

/** The command whose output `readEntries` reads. */
export function listing(tree: string, under: readonly string[] = []): string[] {
  return ['ls-tree', '-r', '-z', '--full-tree', tree, '--', ...under];
}

export function readEntries(text: string): TreeEntry[] {
  return records(text).map((record) => {
    const tab = record.indexOf('\t');
    const [mode = '', , object = ''] = record.slice(0, tab).split(' ');
    return { path: record.slice(tab + 1), mode, object };
  });
}

/** A file's text in a tree; undefined if there is no such file. */
export async function readTreeFile(
  repository: Repository,
  tree: string,
  path: string,
): Promise<string | undefined> {
  const result = await repository.attempt(['cat-file', 'blob', `${tree}:${path}`]);
  return result.exitCode === 0 && !result.truncated ? result.stdout : undefined;
}

const KEPT_TEXT_LENGTH = 16 * 1024 * 1024;
const keptTexts = new WeakMap<Repository, { texts: Map<string, string>; length: number }>();

/** The texts of many files by id, in one process; unreadable ones are left out. An id always has the same text, so texts are kept. */
export async function readBlobs(
  repository: Repository,
  objects: readonly string[],
): Promise<Map<string, string>> {
  const ids = [...new Set(objects)];
  const kept = keptTexts.get(repository) ?? { texts: new Map<string, string>(), length: 0 };
  keptTexts.set(repository, kept);
  const read = await readFromGit(
    repository,
    ids.filter((id) => !kept.texts.has(id)),
  );
  for (const [id, text] of read) {
    if (kept.length + text.length > KEPT_TEXT_LENGTH) break;
    kept.texts.set(id, text);
    kept.length += text.length;
  }
  return new Map(
    ids.flatMap((id) => {
      const text = kept.texts.get(id) ?? read.get(id);
      return text === undefined ? [] : [[id, text] as const];
    }),
  );
}

async function readFromGit(repository: Repository, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  // Random, so that no file can contain it.
  const mark = randomUUID();
  const input = ids.map((id) => `${id}\n`).join('');
  const { exitCode, stdout, truncated } = await repository.attempt(['cat-file', `--batch=${mark}`], {
    input,
  });
  const texts = stdout.split(`${mark}\n`).slice(1);
  if (exitCode === 0 && !truncated && texts.length === ids.length)
    return new Map(ids.map((id, index) => [id, texts[index]?.slice(0, -1) ?? '']));
  const read = await Promise.all(
    ids.map(async (id) => ({ id, ...(await repository.attempt(['cat-file', 'blob', id])) })),
  );
  const whole = read.filter((one) => one.exitCode === 0 && !one.truncated);
  return new Map(whole.map((one) => [one.id, one.stdout]));
}

/** Stores a text in the repository and returns its object id. */
export async function writeBlob(repository: Repository, text: string): Promise<string> {
  return (await repository.run(['hash-object', '-w', '--stdin'], { input: text })).trim();
}

export interface PathChange {
  path: string;
  change: 'added' | 'modified' | 'deleted';
}

export async function changedPaths(repository: Repository, from: string, to: string): Promise<PathChange[]> {
  return readChanges(await repository.run(comparing(from, to)));
}

/** The command whose output `readChanges` reads. */
export function comparing(from: string, to: string): string[] {
  return ['diff-tree', '-r', '-z', '--no-renames', '--name-status', from, to];
}

export function readChanges(text: string): PathChange[] {
  const fields = records(text);
  const changes: PathChange[] = [];
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const letter = fields[index];
    const path = fields[index + 1] ?? '';
    changes.push({ path, change: letter === 'A' ? 'added' : letter === 'D' ? 'deleted' : 'modified' });
  }
  return changes;
}

/** Writes the index as a tree, without the excluded folders. */
function writeTree(exclude: readonly string[]): string[][] {
  const paths = exclude.map((path) => `:(top,literal)${path}`);
  // Forced: git refuses to remove an entry that differs from both HEAD and the working file.
  const remove = [
    'rm',
    '-r',
    '--cached',
    '--force',
    '--quiet',
    '--ignore-unmatch',
    '--sparse',
    '--',
    ...paths,
  ];
  return [...(paths.length > 0 ? [remove] : []), ['write-tree']];
}

/** A separate index, copied from the person's, so that git skips unchanged files. */
async function withIndex<Result>(
  { folder }: Repository,
  start: 'copy' | 'empty',
  use: (env: Readonly<Record<string, string>>) => Promise<Result>,
): Promise<Result> {
  const scratch = mkdtempSync(join(tmpdir(), 'guardkit-index-'));
  try {
    const index = join(scratch, 'index');
    if (start === 'copy') copyIndex(join(folder.gitDir, 'index'), index);
    return await use({ GIT_INDEX_FILE: index });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/**
 * Keeps the time stamp: git re-reads files written in the same second as the index, and a newer copy would hide a change of
 * the same length.
 */
function copyIndex(own: string, copy: string): void {
  const stat = statSync(own, { throwIfNoEntry: false });
  if (!stat) return;
  copyFileSync(own, copy);
  const second = Math.floor(stat.mtimeMs / 1000);
  utimesSync(copy, second, second);
}

function records(text: string): string[] {
  return text.split('\0').filter((record) => record !== '');
}
