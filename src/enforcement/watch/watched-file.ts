import { createHash } from 'node:crypto';
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
} from 'node:fs';
import { stampOf } from '../../platform/files/file-stamp.ts';

export type FoundKind = 'file' | 'folder' | 'link' | 'other';

/** What the system tells of a path without reading what is there. Links are not followed. */
export interface Look {
  kind: FoundKind;
  /** As long as it is the same, so is what is there; empty where it changed too recently to rely on that. */
  stamp: string;
  mode: number;
  size: number;
  /** When anything about it changed last, in milliseconds since 1970. Unlike other times nobody can set it. */
  changedAt: number;
}

/** What is at a path, with its content where that is small enough to be kept. */
export interface Found extends Look {
  path: string;
  hash: string;
  bytes: Buffer | undefined;
}

export const FOLDER_HASH = 'folder';
/** Of a path at which there must be nothing. */
export const NOTHING_HASH = 'none';

export const MAX_KEPT_BYTES = 1024 * 1024;
const MAX_HASHED_BYTES = 64 * 1024 * 1024;

/** Two changes that are nearer to each other than the system's clock ticks leave the same stamp. */
const SETTLED_AFTER_MS = 100;

/** Undefined where nothing is there. */
export function lookAt(path: string, now = Date.now()): Look | undefined {
  let stat: BigIntStats | undefined;
  try {
    stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') return undefined;
    // It differs from everything that could be looked at, and so is noticed.
    return { kind: 'other', stamp: '', mode: 0, size: 0, changedAt: Number.POSITIVE_INFINITY };
  }
  if (!stat) return undefined;
  const { mode, size } = stat;
  const changedAt = Number(stat.ctimeMs);
  const settled = now - changedAt > SETTLED_AFTER_MS;
  return {
    kind: kindOf(stat),
    stamp: settled ? stampOf(stat) : '',
    mode: Number(mode) & 0o7777,
    size: Number(size),
    changedAt,
  };
}

function kindOf(stat: BigIntStats): FoundKind {
  if (stat.isFile()) return 'file';
  if (stat.isDirectory()) return 'folder';
  return stat.isSymbolicLink() ? 'link' : 'other';
}

/** Reads what was looked at. */
export function readFound(absolute: string, path: string, look: Look): Found {
  return { ...look, path, ...contentOf(absolute, look) };
}

function contentOf(absolute: string, { kind, size }: Look): Pick<Found, 'hash' | 'bytes'> {
  try {
    if (kind === 'folder') return { hash: FOLDER_HASH, bytes: undefined };
    if (kind === 'link') {
      const bytes = readlinkSync(absolute, 'buffer');
      return { hash: linkHash(bytes), bytes };
    }
    if (kind === 'file')
      return size <= MAX_HASHED_BYTES ? readContent(absolute) : { hash: `huge:${size}`, bytes: undefined };
  } catch {
    // Safe: it is then none of the contents that are known, and so is noticed.
  }
  return { hash: 'other', bytes: undefined };
}

function linkHash(target: Buffer): string {
  return `link:${createHash('sha256').update(target).digest('hex')}`;
}

/** Through a descriptor that no link, pipe or device can be behind. */
function readContent(absolute: string): Pick<Found, 'hash' | 'bytes'> {
  const descriptor = openSync(absolute, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!fstatSync(descriptor).isFile()) return { hash: 'other', bytes: undefined };
    const hash = createHash('sha256');
    const chunks: Buffer[] = [];
    let total = 0;
    for (;;) {
      const chunk = Buffer.allocUnsafe(64 * 1024);
      const length = readSync(descriptor, chunk, 0, chunk.length, null);
      if (length === 0) break;
      total += length;
      // It grows while it is read: what it holds now is nothing that is known.
      if (total > MAX_HASHED_BYTES) return { hash: `huge:${total}`, bytes: undefined };
      hash.update(chunk.subarray(0, length));
      if (total <= MAX_KEPT_BYTES) chunks.push(chunk.subarray(0, length));
    }
    return {
      hash: hash.digest('hex'),
      bytes: total <= MAX_KEPT_BYTES ? Buffer.concat(chunks) : undefined,
    };
  } finally {
    closeSync(descriptor);
  }
}
