import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  readSync,
} from 'node:fs';

/** One version of a path. Links are never followed; `absent` is a version too. */
export type FileState =
  | { kind: 'absent'; hash: null; mode: null }
  | { kind: 'file'; hash: string; mode: number }
  | { kind: 'link'; hash: string; mode: null; target: Buffer }
  | { kind: 'folder'; hash: string; mode: number }
  /** A socket, pipe or device, or a file that cannot be read. */
  | { kind: 'other'; hash: string; mode: number };

export const ABSENT: FileState = { kind: 'absent', hash: null, mode: null };
export const FOLDER_HASH = 'folder';
const OTHER_HASH = 'other';
const LINK_PREFIX = 'link:';

export function readFileState(absolute: string): FileState {
  const stat = lstatSync(absolute, { throwIfNoEntry: false });
  if (!stat) return ABSENT;
  const mode = stat.mode & 0o7777;
  if (stat.isDirectory()) return { kind: 'folder', hash: FOLDER_HASH, mode };
  if (stat.isSymbolicLink()) {
    const target = readlinkSync(absolute, 'buffer');
    return { kind: 'link', hash: linkHash(target), mode: null, target };
  }
  const hash = stat.isFile() ? hashIfReadable(absolute) : undefined;
  return hash === undefined ? { kind: 'other', hash: OTHER_HASH, mode } : { kind: 'file', hash, mode };
}

export function contentHash(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

export function linkHash(target: Uint8Array): string {
  return `${LINK_PREFIX}${contentHash(target)}`;
}

export function isLinkHash(hash: string): boolean {
  return hash.startsWith(LINK_PREFIX);
}

/** Reads in chunks, so that a large file does not fill the memory. Refuses links, pipes and devices. */
export function hashFile(absolute: string): string {
  const descriptor = openRegular(absolute);
  try {
    const hash = createHash('sha256');
    const chunk = Buffer.allocUnsafe(1024 * 1024);
    for (;;) {
      const length = readSync(descriptor, chunk, 0, chunk.length, null);
      if (length === 0) return hash.digest('hex');
      hash.update(chunk.subarray(0, length));
    }
  } finally {
    closeSync(descriptor);
  }
}

export function readRegular(absolute: string): Buffer {
  const descriptor = openRegular(absolute);
  try {
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function openRegular(absolute: string): number {
  const descriptor = openSync(absolute, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  if (fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  throw new Error(`${absolute} is not a regular file`);
}

function hashIfReadable(absolute: string): string | undefined {
  try {
    return hashFile(absolute);
  } catch {
    // Safe: it counts as a separate version, and `keepVersion` moves a file that it cannot read.
    return undefined;
  }
}
