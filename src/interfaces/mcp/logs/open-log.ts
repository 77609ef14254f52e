import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
} from 'node:fs';
import { basename, isAbsolute, join, relative, resolve } from 'node:path';

/** A log that is open for reading. */
export interface OpenedLog {
  descriptor: number;
  /** From the project's root. */
  name: string;
  bytes: number;
}

export type LogOpening = { ok: true; log: OpenedLog } | { ok: false; code: string; why: string };

/** Names that programs give to what they write line by line; also those of old ones, such as `app.log.1`. */
const LOG_NAME = /\.(?:log|out|err|jsonl|ndjson|trace)(?:[.-][\w-]{1,20})?$/i;
const LOG_FOLDERS: ReadonlySet<string> = new Set(['log', 'logs']);
const PACKED = /\.(?:gz|bz2|xz|zst|zip)$/i;
const PROBE_BYTES = 8192;

/**
 * Opens a log of the project. The server may run outside the caller's sandbox, so it only opens files whose real path is in the
 * project and whose name is that of a log.
 */
export function openLog(root: string, given: string): LogOpening {
  let descriptor: number | undefined;
  try {
    const base = realpathSync(root);
    const real = realpathSync(resolve(base, given));
    const name = inside(base, real);
    if (name === undefined) return no('log.outside', 'it is outside the project');
    if (PACKED.test(name))
      return no('log.packed', 'it is compressed; unpack it into a file of the project first');
    if (!isLogName(name))
      return no(
        'log.other-name',
        'its name is not that of a log (.log, .log.1, .out, .err, .jsonl, or in a folder called logs)',
      );
    descriptor = openSync(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    // A parent folder may have been replaced by a link meanwhile.
    if (inside(base, placeOf(descriptor, real)) === undefined)
      return closed(descriptor, 'log.outside', 'it is outside the project');
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) return closed(descriptor, 'log.no-file', 'it is not a regular file');
    if (isBinary(descriptor)) return closed(descriptor, 'log.no-text', 'it is not text');
    return { ok: true, log: { descriptor, name, bytes: stat.size } };
  } catch (error) {
    if (descriptor !== undefined) closeSync(descriptor);
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === undefined) throw error;
    return code === 'ENOENT'
      ? no('log.missing', 'no such file')
      : no('log.unreadable', `it cannot be read (${code})`);
  }
}

export function isLogName(path: string): boolean {
  if (PACKED.test(path)) return false;
  const folders = path.split('/').slice(0, -1);
  const name = basename(path);
  return LOG_NAME.test(name) || (folders.some((folder) => LOG_FOLDERS.has(folder)) && !name.startsWith('.'));
}

function inside(base: string, path: string): string | undefined {
  const way = relative(base, path);
  return way === '' || way.startsWith('..') || isAbsolute(way) ? undefined : way;
}

function placeOf(descriptor: number, opened: string): string {
  try {
    return readlinkSync(join('/proc/self/fd', String(descriptor)));
  } catch {
    // Safe: without /proc there is no sandbox to escape from.
    return opened;
  }
}

function isBinary(descriptor: number): boolean {
  const probe = Buffer.alloc(PROBE_BYTES);
  return probe.subarray(0, readSync(descriptor, probe, 0, PROBE_BYTES, 0)).includes(0);
}

function no(code: string, why: string): LogOpening {
  return { ok: false, code, why };
}

function closed(descriptor: number, code: string, why: string): LogOpening {
  closeSync(descriptor);
  return no(code, why);
}

interface FoundLog {
  /** From the root. */
  path: string;
  bytes: number;
  changedAt: string;
}

const MAX_FOLDERS = 2000;
const MAX_DEPTH = 4;
const SHOWN = 40;
const PASSED_OVER: ReadonlySet<string> = new Set([
  'node_modules',
  '.git',
  '.venv',
  'target',
  'dist',
  'build',
]);

/** The logs of a project, newest first, found by a limited search. */
export function findLogs(root: string): { logs: FoundLog[]; more: boolean } {
  const found: FoundLog[] = [];
  const waiting = [{ folder: '', depth: 0 }];
  let folders = 0;
  for (let next = waiting.shift(); next && folders < MAX_FOLDERS; next = waiting.shift()) {
    folders += 1;
    for (const entry of entriesOf(join(root, next.folder))) {
      const path = next.folder === '' ? entry.name : `${next.folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (next.depth < MAX_DEPTH && !PASSED_OVER.has(entry.name))
          waiting.push({ folder: path, depth: next.depth + 1 });
      } else if (entry.isFile() && isLogName(path)) {
        const stat = lstatSync(join(root, path), { throwIfNoEntry: false });
        if (stat) found.push({ path, bytes: stat.size, changedAt: stat.mtime.toISOString() });
      }
    }
  }
  found.sort((a, b) => (a.changedAt > b.changedAt ? -1 : 1));
  return { logs: found.slice(0, SHOWN), more: found.length > SHOWN || waiting.length > 0 };
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // Safe: an unreadable folder is not listed.
    return [];
  }
}
