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
import { isSettled, stampOf } from '../../platform/files/file-stamp.ts';

export type FoundKind = 'file' | 'folder' | 'link' | 'other';

/** Metadata of a path. Links are not followed. */
export interface PathStat {
  kind: FoundKind;
  /** The same stamp means the same content; empty if it changed too recently to rely on that. */
  stamp: string;
  mode: number;
  size: number;
  /** ctime in milliseconds since 1970. Unlike mtime, no program can set it. */
  changedAt: number;
}

/** A path with its hash, and its content if that is small enough to keep. */
export interface Found extends PathStat {
  path: string;
  hash: string;
  bytes: Buffer | undefined;
}

export const FOLDER_HASH = 'folder';
/** For a path that must not exist. */
export const NOTHING_HASH = 'none';

export const MAX_KEPT_BYTES = 1024 * 1024;
const MAX_HASHED_BYTES = 64 * 1024 * 1024;

/** Undefined if nothing exists at the path. */
export function statPath(path: string, now = Date.now()): PathStat | undefined {
  let stat: BigIntStats | undefined;
  try {
    stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') return undefined;
    // Differs from every recorded state, so it is reported.
    return { kind: 'other', stamp: '', mode: 0, size: 0, changedAt: Number.POSITIVE_INFINITY };
  }
  if (!stat) return undefined;
  const { mode, size } = stat;
  return {
    kind: kindOf(stat),
    stamp: isSettled(stat, now) ? stampOf(stat) : '',
    mode: Number(mode) & 0o7777,
    size: Number(size),
    changedAt: Number(stat.ctimeMs),
  };
}

function kindOf(stat: BigIntStats): FoundKind {
  if (stat.isFile()) return 'file';
  if (stat.isDirectory()) return 'folder';
  return stat.isSymbolicLink() ? 'link' : 'other';
}

export function readFound(absolute: string, path: string, look: PathStat): Found {
  return { ...look, path, ...contentOf(absolute, look) };
}

function contentOf(absolute: string, { kind, size }: PathStat): Pick<Found, 'hash' | 'bytes'> {
  try {
    if (kind === 'folder') return { hash: FOLDER_HASH, bytes: undefined };
    if (kind === 'link') {
      const bytes = readlinkSync(absolute, 'buffer');
      return { hash: linkHash(bytes), bytes };
    }
    if (kind === 'file')
      return size <= MAX_HASHED_BYTES ? readContent(absolute) : { hash: `huge:${size}`, bytes: undefined };
  } catch {
    // Safe: `other` differs from every recorded content, so it is reported.
  }
  return { hash: 'other', bytes: undefined };
}

function linkHash(target: Buffer): string {
  return `link:${createHash('sha256').update(target).digest('hex')}`;
}

/** Opens without following links or blocking on pipes and devices. */
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
      // The file grows while it is read.
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
