import { readdirSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathBelow } from '../../platform/files/path-inside.ts';
import { AREA_ROW, type WatchedRow } from '../../store/ledger/tables/watch-tables.ts';
import type { WatchArea } from './watch-areas.ts';
import { FOLDER_HASH, type Found, lookAt, NOTHING_HASH, readFound } from './watched-file.ts';

/** A path that is not as it is known. */
export interface Difference {
  path: string;
  /** Undefined where nothing was known to be there. */
  before: WatchedRow | undefined;
  /** Undefined where nothing is there. */
  found: Found | undefined;
}

export interface Comparison {
  differences: Difference[];
  /** Rows whose content is as it is known, with stamps by which that is seen at once next time. */
  restamped: WatchedRow[];
  /** False where there is more than is watched. */
  complete: boolean;
}

export interface CompareOptions {
  /** Read everything, whatever the stamps say. */
  thorough: boolean;
}

/** In one area; more is a mistake in a glob, or an attempt to tire us out. */
const MAX_PATHS = 4000;
/** What a link leads to may be anything. */
const MAX_BEHIND_LINK = 500;

export function absolutePath(area: WatchArea, path: string): string {
  if (path.startsWith('/')) return path;
  return path === '.' ? area.folder : pathBelow(area.folder, path);
}

/** What differs between an area as it is known and as it is. Reads only what has another stamp. */
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
    this.#known = new Map(rows.map((row) => [row.path, row]));
    this.#options = options;
    this.#room = MAX_PATHS - rows.length;
  }

  compareKnown(): void {
    for (const row of this.#known.values()) if (row.path !== AREA_ROW) this.#compareRow(row);
  }

  #compareRow(row: WatchedRow): void {
    const { path } = row;
    const absolute = absolutePath(this.#area, path);
    // Behind a link in place of its folder there may be a file of the same name.
    const look = this.#isLost(path) ? undefined : lookAt(absolute);
    if (!look) {
      if (row.hash === FOLDER_HASH) this.#lost.add(path);
      this.differences.push({ path, before: row, found: undefined });
      return;
    }
    if (!this.#options.thorough && look.stamp !== '' && look.stamp === row.stamp) return;
    if (row.hash === FOLDER_HASH && look.kind === 'folder') {
      this.#toRead.push(path);
      this.restamped.push({ ...row, stamp: look.stamp, mode: look.mode });
      return;
    }
    if (row.hash === FOLDER_HASH) this.#lost.add(path);
    const found = readFound(absolute, path, look);
    if (found.hash === row.hash && found.mode === row.mode)
      this.restamped.push({ ...row, stamp: found.stamp });
    else this.differences.push({ path, before: row, found });
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
      // Most are nowhere, which is sooner seen than whether they would be wanted.
      if (lookAt(absolutePath(this.#area, root))) this.#visit(root);
    }
    for (const folder of this.#toRead) this.#visitAllIn(folder);
  }

  #visitAllIn(folder: string): void {
    for (const name of namesIn(absolutePath(this.#area, folder))) {
      const path = folder === '.' ? name : `${folder}/${name}`;
      if (!this.#known.has(path)) this.#visit(path);
    }
  }

  #visit(path: string): void {
    const { wants, wantsFolder } = this.#area;
    // What a person's link leads to is watched whole.
    const all = path.startsWith('/');
    const folderWanted = all || path === '.' || wantsFolder(path);
    if (this.#visited.has(path) || !(folderWanted || wants(path))) return;
    this.#visited.add(path);
    const absolute = absolutePath(this.#area, path);
    const look = lookAt(absolute);
    if (!look || (look.kind === 'folder' && !folderWanted)) return;
    if (look.kind !== 'folder' && look.kind !== 'link' && !all && !wants(path)) return;
    if (this.#room <= 0) {
      this.complete = false;
      return;
    }
    this.#room -= 1;
    this.differences.push({ path, before: undefined, found: readFound(absolute, path, look) });
    if (look.kind === 'folder') this.#visitAllIn(path);
    // Git's own folder is an area by itself.
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

function targetOf(link: string): string | undefined {
  try {
    const target = realpathSync(link);
    return target === '/' ? undefined : target;
  } catch {
    // Safe: it leads nowhere, and that is what is known of it.
    return undefined;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Safe: what was known in it is missed; what is not known cannot be read by an agent's program either.
    return [];
  }
}

/** Whether something was known to be there that could be put back. */
export function wasThere(before: WatchedRow | undefined): before is WatchedRow {
  return before !== undefined && before.hash !== NOTHING_HASH;
}
