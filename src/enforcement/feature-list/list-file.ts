import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { MAX_LIST_BYTES } from '../../domain/feature-list/feature-list.ts';
import { FEATURE_LIST_PATH } from '../../domain/protection/protected-paths.ts';
import { fileStamp } from '../../platform/files/file-stamp.ts';

/** Within this time of a change another one may leave the same stamp: clocks of file systems tick no faster. */
const TICK_MS = 50;

/** What stands where the list should be. */
export type FoundList =
  | { kind: 'absent'; stamp: '' }
  /** The stamp is empty where another change could leave the same one. */
  | { kind: 'file'; stamp: string; bytes: Buffer }
  /** Neither the list nor nothing: a link, a folder, a pipe, or a file that cannot be read. */
  | { kind: 'foreign'; stamp: ''; what: string; path: string };

export function listPath(checkout: string): string {
  return join(checkout, FEATURE_LIST_PATH);
}

/** Of the list and of the folder it lies in, which may have been exchanged for a link. Empty where there is no list. */
export function listStamp(checkout: string): string {
  const path = listPath(checkout);
  const folder = look(dirname(path));
  return folder?.isDirectory() ? `${folder.dev}:${folder.ino} ${fileStamp(path)}` : '';
}

type Stat = NonNullable<ReturnType<typeof lstatSync>>;

/** Undefined where nothing is, also for the want of a folder to be in. */
function look(path: string): Stat | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (codeOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** Reads the list; nothing is followed, waited for or read without end. */
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
    // Before its content, so that a change in between shows the next time.
    const stamp = now - open.ctimeMs < TICK_MS ? '' : listStamp(checkout);
    return { kind: 'file', stamp, bytes: readAtMost(descriptor, MAX_LIST_BYTES + 1) };
  } catch (error) {
    return foreign(path, `a file that cannot be read (${codeOf(error)})`);
  } finally {
    closeSync(descriptor);
  }
}

function readAtMost(descriptor: number, most: number): Buffer {
  const chunks: Buffer[] = [];
  for (let left = most; left > 0; ) {
    const chunk = Buffer.allocUnsafe(Math.min(left, 1024 * 1024));
    const count = readSync(descriptor, chunk);
    if (count === 0) break;
    chunks.push(chunk.subarray(0, count));
    left -= count;
  }
  return Buffer.concat(chunks);
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
