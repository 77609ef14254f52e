import { hash } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { MAX_LIST_BYTES } from '../../domain/feature-list/feature-list.ts';
import { FEATURE_LIST_PATH } from '../../domain/protection/protected-paths.ts';
import { writeFileAtomic } from '../../platform/files/atomic-file.ts';
import { fileStamp } from '../../platform/files/file-stamp.ts';
import { makeFolder } from '../../platform/files/make-folder.ts';
import type { FeatureListContext } from './known-list.ts';

/** Changes this close together may leave the same stamp, since file system clocks tick slowly. */
const TICK_MS = 50;

export type FoundList =
  | { kind: 'absent'; stamp: '' }
  /** The stamp is empty if another change could leave the same one. */
  | { kind: 'file'; stamp: string; bytes: Buffer }
  /** A link, folder, pipe or unreadable file in place of the list. */
  | { kind: 'foreign'; stamp: ''; what: string; path: string };

export function listPath(checkout: string): string {
  return join(checkout, FEATURE_LIST_PATH);
}

/** Stamp of the list and its folder, which may have been replaced by a link. Empty without a list. */
export function listStamp(checkout: string): string {
  const path = listPath(checkout);
  const folder = look(dirname(path));
  return folder?.isDirectory() ? `${folder.dev}:${folder.ino} ${fileStamp(path)}` : '';
}

type Stat = NonNullable<ReturnType<typeof lstatSync>>;

/** Undefined if the path or its folder does not exist. */
function look(path: string): Stat | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (codeOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** Reads the list without following links, blocking on pipes or reading without limit. */
export function readListFile(checkout: string, now: number): FoundList {
  const path = listPath(checkout);
  const folder = dirname(path);
  const around = look(folder);
  if (!around) return { kind: 'absent', stamp: '' };
  if (!around.isDirectory()) return foreign(folder, kindOf(around));
  const stat = look(path);
  if (!stat) return { kind: 'absent', stamp: '' };
  if (!stat.isFile()) return foreign(path, kindOf(stat));
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  let descriptor: number;
  try {
    descriptor = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    return foreign(path, `a file that cannot be read (${codeOf(error)})`);
  }
  try {
    const open = fstatSync(descriptor);
    if (!open.isFile()) return foreign(path, kindOf(open));
    // Before the content, so that a change in between is found next time.
    const stamp = now - open.ctimeMs < TICK_MS ? '' : listStamp(checkout);
    return { kind: 'file', stamp, bytes: readText(path, descriptor, open.size) };
  } catch (error) {
    return foreign(path, `a file that cannot be read (${codeOf(error)})`);
  } finally {
    closeSync(descriptor);
  }
}

const lastTexts = new Map<string, Buffer>();
const MAX_TEXTS = 8;
const LONGEST_TEXT = 1024 * 1024;
const chunkRead = Buffer.allocUnsafeSlow(64 * 1024);

/** Most lists are as they were; to find that out by parts needs no memory for a second copy. */
function readText(path: string, descriptor: number, size: number): Buffer {
  const last = lastTexts.get(path);
  if (last && isText(descriptor, last)) return last;
  const text = readAtMost(descriptor, size, MAX_LIST_BYTES + 1);
  if (lastTexts.size >= MAX_TEXTS) lastTexts.clear();
  if (text.length <= LONGEST_TEXT) lastTexts.set(path, text);
  return text;
}

function isText(descriptor: number, text: Buffer): boolean {
  for (let at = 0; ; ) {
    const count = readSync(descriptor, chunkRead, 0, chunkRead.length, at);
    if (count === 0) return at === text.length;
    if (!chunkRead.subarray(0, count).equals(text.subarray(at, at + count))) return false;
    at += count;
  }
}

/** The file may grow while it is read. */
function readAtMost(descriptor: number, size: number, most: number): Buffer {
  const first = Buffer.allocUnsafeSlow(Math.min(size + 1, most));
  const chunks: Buffer[] = [];
  let total = 0;
  for (let chunk = first; total < most; chunk = Buffer.allocUnsafe(Math.min(most - total, 64 * 1024))) {
    const count = readSync(descriptor, chunk);
    if (count === 0) break;
    chunks.push(chunk.subarray(0, count));
    total += count;
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}

function foreign(path: string, what: string): FoundList {
  return { kind: 'foreign', stamp: '', what, path };
}

function kindOf(stat: Stat): string {
  if (stat.isSymbolicLink()) return 'a link';
  if (stat.isDirectory()) return 'a folder';
  if (stat.isFIFO()) return 'a pipe';
  return stat.isFile() ? 'a file' : 'a device or a socket';
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

const OWN = 0o700;

/**
 * Writes the list. A folder in its place must have been moved before. Does not wait for the disk: the ledger is on disk
 * already, and a list that a power cut damages is written again from it.
 */
export function writeListFile(checkout: string, content: string | Uint8Array): void {
  writeProgressFile(listPath(checkout), content, { lasting: false, force: true });
}

/** Whether a first list can be written without replacing anything. */
export function isListPathFree(checkout: string): boolean {
  const path = listPath(checkout);
  return !isFile(dirname(dirname(path))) && readListFile(checkout, 0).kind === 'absent';
}

function isFile(path: string): boolean {
  return look(path)?.isFile() ?? false;
}

/** Writes a file in `.claude/progress/`, replacing links, pipes and, with `force`, files in place of its folders. */
export function writeProgressFile(
  path: string,
  content: string | Uint8Array,
  { lasting = true, force = false } = {},
): void {
  const folder = dirname(path);
  if (!force && (isFile(dirname(folder)) || isFile(folder)))
    throw new Error(`a file is in place of the folder ${folder}`);
  // A person may have linked this folder from elsewhere.
  clear(dirname(folder), (at) => statSync(at, { throwIfNoEntry: false })?.isDirectory() ?? false);
  clear(folder, (at) => lstatSync(at).isDirectory());
  clear(path, (at) => lstatSync(at).isFile());
  makeFolder(folder);
  const { mode } = lstatSync(folder);
  if ((mode & OWN) !== OWN) chmodSync(folder, (mode & 0o777) | OWN);
  writeFileAtomic(path, content, undefined, { lasting });
}

function clear(path: string, isWanted: (path: string) => boolean): void {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat && !isWanted(path)) rmSync(path, { force: true });
}

/**
 * Records the hash of the list that GuardKit is about to write, in a file outside the ledger: if the writer is killed, the
 * ledger rolls back and the list is ahead of it, which must not count as someone else's change.
 */
export function noteListText(context: FeatureListContext, bytes: Buffer): void {
  // Some file systems wait for the disk when a rename replaces a file.
  forgetListText(context);
  writeFileAtomic(notePath(context), hash('sha256', bytes), undefined, { lasting: false });
}

/** Whether an unknown list was written by GuardKit itself, in an interrupted write. */
export function isOwnListText(context: FeatureListContext, bytes: Buffer): boolean {
  try {
    return readFileSync(notePath(context), 'utf8') === hash('sha256', bytes);
  } catch {
    // Safe: without the note the list counts as someone else's, which is stricter.
    return false;
  }
}

/** Called when someone else's list was accepted: returning to GuardKit's earlier text is then their change. */
export function forgetListText(context: FeatureListContext): void {
  rmSync(notePath(context), { force: true });
}

function notePath({ dataFolder, project, checkout }: FeatureListContext): string {
  return join(dataFolder, 'lists', hash('sha256', `${project}\n${checkout}`).slice(0, 32));
}
