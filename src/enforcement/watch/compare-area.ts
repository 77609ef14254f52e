import { lstatSync, realpathSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { namesIn } from '../../platform/files/names-in.ts';
import { pathBelow } from '../../platform/files/path-inside.ts';
import { AREA_ROW, type WatchedRow, type WatchTables } from '../../store/ledger/tables/watch-tables.ts';
import type { WatchArea } from './watch-areas.ts';
import { FOLDER_HASH, type Found, NOTHING_HASH, readFound, statPath } from './watched-file.ts';

/** A path that differs from its recorded state. */
export interface Difference {
  path: string;
  /** Undefined if nothing was recorded. */
  before: WatchedRow | undefined;
  /** Undefined if nothing is there now. */
  found: Found | undefined;
}

export interface Comparison {
  differences: Difference[];
  /** Rows with unchanged content and a new stamp, so that the next comparison can skip them. */
  restamped: WatchedRow[];
  /** False if the area has more files than are watched. */
  complete: boolean;
}

export interface CompareOptions {
  /** Read everything, even if stamps are unchanged: writes to a mapping in memory can leave them. */
  thorough: boolean;
}

/** Per area. More means a mistaken glob, or an attempt to exhaust the hook. */
const MAX_PATHS = 4000;
/** A link can lead to a folder of any size. */
const MAX_BEHIND_LINK = 500;

export function absolutePath(area: WatchArea, path: string): string {
  if (path.startsWith('/')) return path;
  return path === '.' ? area.folder : pathBelow(area.folder, path);
}

/** Compares an area with its recorded state. Reads only files whose stamp changed. */
export function compareArea(
  area: WatchArea,
  rows: readonly WatchedRow[],
  options: CompareOptions,
): Comparison {
  const comparison = new AreaComparison(area, rows, options);
  comparison.compareKnown();
  comparison.findNew();
  return comparison;
}

class AreaComparison implements Comparison {
  readonly differences: Difference[] = [];
  readonly restamped: WatchedRow[] = [];
  complete = true;
  readonly #area: WatchArea;
  readonly #known: ReadonlyMap<string, WatchedRow>;
  readonly #options: CompareOptions;
  readonly #toRead: string[] = [];
  readonly #lost = new Set<string>();
  readonly #visited = new Set<string>();
  #room: number;

  constructor(area: WatchArea, rows: readonly WatchedRow[], options: CompareOptions) {
    this.#area = area;
    this.#known = byPath(rows);
    this.#options = options;
    this.#room = MAX_PATHS - rows.length;
  }

  compareKnown(): void {
    for (const row of this.#known.values()) if (row.path !== AREA_ROW) this.#compareRow(row);
  }

  #compareRow(row: WatchedRow): void {
    const { path } = row;
    const last = this.#options.thorough ? undefined : seen.get(row);
    const isSeen = last !== undefined && last.folder === this.#area.folder;
    const absolute = isSeen ? last.absolute : absolutePath(this.#area, path);
    // Before the stamp is read: if that is unchanged, so was this.
    const stat = isSeen ? quickStat(absolute) : undefined;
    const isLost = this.#isLost(path);
    if (stat && last?.stat && !isLost && areEqual(stat, last.stat)) return;
    // If a link has replaced its folder, the link may lead to a file of the same name.
    const look = isLost ? undefined : statPath(absolute);
    if (!look) {
      if (row.hash === FOLDER_HASH) this.#lost.add(path);
      this.differences.push({ path, before: row, found: undefined });
      return;
    }
    if (!this.#options.thorough && look.stamp !== '' && look.stamp === row.stamp) {
      seen.set(row, { folder: this.#area.folder, absolute, stat });
      return;
    }
    if (row.hash === FOLDER_HASH && look.kind === 'folder') {
      this.#toRead.push(path);
      this.restamped.push({ ...row, stamp: look.stamp, mode: look.mode });
      return;
    }
    if (row.hash === FOLDER_HASH) this.#lost.add(path);
    const found = readFound(absolute, path, look);
    const isRestamped = found.stamp === '' || found.stamp !== row.stamp;
    if (found.hash !== row.hash || found.mode !== row.mode) {
      // Nothing tells when a write to a mapping in memory happened.
      const changedAt = isRestamped ? found.changedAt : Date.now();
      this.differences.push({ path, before: row, found: { ...found, changedAt } });
    } else if (isRestamped) this.restamped.push({ ...row, stamp: found.stamp });
  }

  #isLost(path: string): boolean {
    if (this.#lost.size === 0) return false;
    for (let folder = dirname(path); folder !== '.' && folder !== '/'; folder = dirname(folder))
      if (this.#lost.has(folder)) return true;
    return false;
  }

  findNew(): void {
    for (const root of this.#area.roots) {
      if (this.#known.has(root) || this.#isLost(root)) continue;
      // Most roots do not exist, and checking that is cheapest.
      if (statPath(absolutePath(this.#area, root))) this.#visit(root);
    }
    for (const folder of this.#toRead) this.#visitAllIn(folder);
  }

  #visitAllIn(folder: string): void {
    // If it cannot be read, recorded files in it count as missing, and an agent's program cannot read new ones either.
    for (const name of namesIn(absolutePath(this.#area, folder))) {
      const path = folder === '.' ? name : `${folder}/${name}`;
      if (!this.#known.has(path)) this.#visit(path);
    }
  }

  #visit(path: string): void {
    const { wants, wantsFolder } = this.#area;
    // The target of a person's link is watched as a whole.
    const all = path.startsWith('/');
    const folderWanted = all || path === '.' || wantsFolder(path);
    if (this.#visited.has(path) || !(folderWanted || wants(path))) return;
    this.#visited.add(path);
    const absolute = absolutePath(this.#area, path);
    const look = statPath(absolute);
    if (!look || (look.kind === 'folder' && !folderWanted)) return;
    if (look.kind !== 'folder' && look.kind !== 'link' && !all && !wants(path)) return;
    if (this.#room <= 0) {
      this.complete = false;
      return;
    }
    this.#room -= 1;
    this.differences.push({ path, before: undefined, found: readFound(absolute, path, look) });
    if (look.kind === 'folder') this.#visitAllIn(path);
    // Git's own folder is a separate area.
    else if (look.kind === 'link' && path !== '.git') this.#follow(absolute);
  }

  #follow(link: string): void {
    const target = targetOf(link);
    if (target === undefined || this.#area.folder === target || this.#area.folder.startsWith(`${target}/`))
      return;
    const room = this.#room;
    this.#room = Math.min(room, MAX_BEHIND_LINK);
    const given = this.#room;
    if (!this.#known.has(target)) this.#visit(target);
    this.#room += room - given;
  }
}

const maps = new WeakMap<readonly WatchedRow[], ReadonlyMap<string, WatchedRow>>();

/** A resident process meets the same list again, see `seen`. */
function byPath(rows: readonly WatchedRow[]): ReadonlyMap<string, WatchedRow> {
  const known = maps.get(rows) ?? new Map(rows.map((row) => [row.path, row]));
  maps.set(rows, known);
  return known;
}

interface SeenFile {
  /** Of its area. */
  folder: string;
  absolute: string;
  /** Undefined until a second comparison. */
  stat: Stats | undefined;
}

/** Compared rows. A row stays the same object while nobody changes the ledger's list, so only a resident process meets one again. */
const seen = new WeakMap<WatchedRow, SeenFile>();

/** Numbers are exact enough: a stamp counts only if it is older than a tick of the file system's clock. */
function areEqual(one: Stats, other: Stats): boolean {
  return (
    one.ctimeMs === other.ctimeMs &&
    one.mtimeMs === other.mtimeMs &&
    one.size === other.size &&
    one.ino === other.ino &&
    one.mode === other.mode &&
    one.dev === other.dev
  );
}

/** A third of the time that a stamp takes. */
function quickStat(absolute: string): Stats | undefined {
  try {
    return lstatSync(absolute, { throwIfNoEntry: false });
  } catch {
    // Safe: the usual comparison reports it.
    return undefined;
  }
}

function targetOf(link: string): string | undefined {
  try {
    const target = realpathSync(link);
    return target === '/' ? undefined : target;
  } catch {
    // Safe: a dangling link has no target to watch.
    return undefined;
  }
}

/** Whether a recorded version exists that could be restored. */
export function wasThere(before: WatchedRow | undefined): before is WatchedRow {
  return before !== undefined && before.hash !== NOTHING_HASH;
}

/** Records the found version as the accepted one. */
export function accept(tables: WatchTables, area: WatchArea, { path, found }: Difference): void {
  if (!found) {
    tables.unwatch(area.key, path);
    return;
  }
  if (found.bytes !== undefined) tables.keep(found.hash, found.bytes);
  tables.watch(area.key, rowOf(found));
}

function rowOf({ path, stamp, hash, mode }: Found): WatchedRow {
  return { path, stamp, hash, mode };
}

/** Records the globs that define an area. */
export function sealArea(
  tables: WatchTables,
  { key }: WatchArea,
  rows: readonly WatchedRow[],
  globs: readonly string[],
): void {
  if (!isSealed(rows, globs)) tables.watch(key, { path: AREA_ROW, stamp: '', hash: specOf(globs), mode: 0 });
}

/** Whether an area was observed before, with the same globs. */
export function isSealed(rows: readonly WatchedRow[], globs: readonly string[]): boolean {
  return byPath(rows).get(AREA_ROW)?.hash === specOf(globs);
}

function specOf(globs: readonly string[]): string {
  return globs.join('\n');
}

/** Writes only changed rows: a file read again right after a change mostly keeps its empty stamp. */
export function restamp(
  tables: WatchTables,
  area: WatchArea,
  { restamped }: Comparison,
  rows: readonly WatchedRow[],
): void {
  if (restamped.length === 0) return;
  const before = new Map(rows.map((row) => [row.path, row]));
  for (const row of restamped) {
    const old = before.get(row.path);
    if (old?.stamp !== row.stamp || old.mode !== row.mode) tables.watch(area.key, row);
  }
}
