import {
  closeSync,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  type Stats,
  statSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { namesIn } from '../files/names-in.ts';
import { gitSync } from './git-sync.ts';

/** The folders of loose objects and the indexes of packs, each with its device and inode. */
export type ObjectPlaces = Readonly<Record<string, string>>;

export interface ObjectsReading {
  /** In milliseconds since 1970. */
  at: number;
  places: ObjectPlaces;
}

export interface NewObjects {
  ids: string[];
  /** The current places, for the next reading. */
  places: ObjectPlaces;
}

const FOLDERS = Array.from({ length: 256 }, (_, number) => number.toString(16).padStart(2, '0'));
const READABLE = 0o500;
/** Reading the types of 500,000 objects takes seconds. */
const MAX_OBJECTS = 500_000;

/**
 * Objects that were added to a repository since an earlier reading: loose objects by their ctime, which no program can set, and
 * all objects of new packs, which may have been there before. Without an earlier reading there are none.
 */
export function newObjects(
  commonDir: string,
  before: ObjectsReading | undefined,
  isDuring: (time: number) => boolean,
): NewObjects {
  const places: Record<string, string> = {};
  const ids = new Set<string>();
  const add = (found: Iterable<string>) => {
    for (const id of found) if (ids.size < MAX_OBJECTS) ids.add(id);
  };
  const main = join(commonDir, 'objects');
  for (const store of objectStores(main)) {
    const nameOf = (path: string) => (store === main ? path : join(store, path));
    for (const name of FOLDERS) {
      const stat = statOf(join(store, name));
      // One that cannot be read now counts as new when it can.
      if (!stat?.isDirectory() || (stat.mode & READABLE) !== READABLE) continue;
      const isKnown = before?.places[nameOf(name)] === identityOf(stat);
      places[nameOf(name)] = identityOf(stat);
      if (!before || (isKnown && stat.ctimeMs < before.at)) continue;
      // A folder that was moved here brings older files.
      const isNew = (time: number) => isDuring(time) || (!isKnown && time < before.at);
      add(looseObjects(join(store, name), name, isNew));
    }
    for (const file of namesIn(join(store, 'pack')).filter((name) => name.endsWith('.idx'))) {
      const path = join('pack', file);
      const stat = statOf(join(store, path));
      if (!stat?.isFile()) continue;
      const isKnown = before?.places[nameOf(path)] === identityOf(stat);
      places[nameOf(path)] = identityOf(stat);
      if (before && (!isKnown || isDuring(stat.ctimeMs))) add(packedObjects(join(store, path)));
    }
  }
  return { ids: [...ids], places };
}

function looseObjects(folder: string, start: string, isNew: (time: number) => boolean): string[] {
  return namesIn(folder).flatMap((name) => {
    if (!/^(?:[0-9a-f]{38}|[0-9a-f]{62})$/.test(name)) return [];
    const stat = statOf(join(folder, name), lstatSync);
    // Git writes no links here, and the file behind one may be older.
    return stat && (stat.isSymbolicLink() || isNew(stat.ctimeMs)) ? [start + name] : [];
  });
}

const MAX_STORES = 20;

/** The repository's own objects, and those of other repositories that it uses. */
function objectStores(main: string): string[] {
  const stores = new Set([main]);
  for (const store of stores)
    for (const line of textOf(join(store, 'info', 'alternates')).split('\n'))
      if (line !== '' && !line.startsWith('#') && stores.size < MAX_STORES) stores.add(resolve(store, line));
  return [...stores];
}

const INDEX_START = Buffer.from([0xff, 0x74, 0x4f, 0x63]);
const FAN_OUT_BYTES = 256 * 4;

/** The ids in a pack's index, of either format. `git show-index` would take a process for each pack. */
function packedObjects(file: string): string[] {
  const { size, bytes } = startOf(file);
  const isFirstFormat = !bytes.subarray(0, 4).equals(INDEX_START);
  const start = FAN_OUT_BYTES + (isFirstFormat ? 0 : 8);
  if (bytes.length < start) return [];
  const count = bytes.readUInt32BE(start - 4);
  // Git refuses an index of another size.
  const isLong = size - start >= count * (isFirstFormat ? 36 : 40) + 64;
  const idBytes = isLong ? 32 : 20;
  const offsetBytes = isFirstFormat ? 4 : 0;
  const ids: string[] = [];
  for (let at = start + offsetBytes; ids.length < count; at += idBytes + offsetBytes) {
    if (at + idBytes > bytes.length) break;
    ids.push(bytes.toString('hex', at, at + idBytes));
  }
  return ids;
}

const MAX_INDEX_BYTES = 8 + FAN_OUT_BYTES + MAX_OBJECTS * 36;

function startOf(file: string): { size: number; bytes: Buffer } {
  try {
    const descriptor = openSync(file, 'r');
    try {
      const { size } = fstatSync(descriptor);
      const bytes = Buffer.alloc(Math.min(size, MAX_INDEX_BYTES));
      return { size, bytes: bytes.subarray(0, readSync(descriptor, bytes)) };
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // Safe: git cannot read objects without their index either.
    return { size: 0, bytes: Buffer.alloc(0) };
  }
}

const OBJECTS_AT_ONCE = 100_000;

/** The commits among some objects. */
export function commitsAmong(gitDir: string, ids: readonly string[]): string[] {
  const commits: string[] = [];
  for (let at = 0; at < ids.length; at += OBJECTS_AT_ONCE) {
    const some = ids.slice(at, at + OBJECTS_AT_ONCE);
    const options = ['cat-file', '--batch-check=%(objecttype)', '--buffer'];
    const types = gitSync(gitDir, options, `${some.join('\n')}\n`)?.split('\n') ?? [];
    commits.push(...some.filter((_, index) => types[index] === 'commit'));
  }
  return commits;
}

/**
 * Those of some commits that are not in the history of known ones, without parents of others among them. Undefined if git
 * fails, for example because a commit has no parent in this repository.
 */
export function lastCommitsOutside(
  gitDir: string,
  commits: readonly string[],
  known: readonly string[],
): string[] | undefined {
  const question = [...commits, ...known.map((one) => `^${one}`)].join('\n');
  const options = ['rev-list', '--parents', '--ignore-missing', '--stdin'];
  const lines = gitSync(gitDir, options, `${question}\n`)?.split('\n').filter(Boolean);
  const parents = new Set(lines?.flatMap((line) => line.split(' ').slice(1)));
  return lines?.flatMap((line) => line.split(' ')[0] ?? []).filter((id) => !parents.has(id));
}

function identityOf({ dev, ino }: Stats): string {
  return `${dev}:${ino}`;
}

function statOf(path: string, read: typeof statSync = statSync): Stats | undefined {
  try {
    return read(path, { throwIfNoEntry: false });
  } catch {
    // Safe: git cannot read it either.
    return undefined;
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // Safe: without the file there are no others.
    return '';
  }
}
