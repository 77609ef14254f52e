import {
  AREA_ROW,
  type AreaKey,
  type WatchedRow,
  type WatchTables,
} from '../../store/ledger/watch-tables.ts';
import type { Comparison, Difference } from './compare-area.ts';
import { type Found, NOTHING_HASH } from './found.ts';
import type { WatchArea } from './watch-areas.ts';

const BEING_PUT_BACK = 'back:';
const CANNOT_BE_PUT_BACK = 'stuck:';

/** The row of something that is put back, and what was found in its place. */
export function markedRow(row: WatchedRow, foundHash: string): WatchedRow {
  return { ...row, stamp: `${BEING_PUT_BACK}${foundHash}` };
}

/** The same of something that could not be put back, which is on record, and is tried again. */
export function stuckRow(row: WatchedRow, foundHash: string): WatchedRow {
  return { ...row, stamp: `${CANNOT_BE_PUT_BACK}${foundHash}` };
}

export function isStuck({ stamp }: WatchedRow): boolean {
  return stamp.startsWith(CANNOT_BE_PUT_BACK);
}

/** The hash of what was found, for a row that is to be put back. */
export function markOf({ stamp }: WatchedRow): string | undefined {
  const prefix = [BEING_PUT_BACK, CANNOT_BE_PUT_BACK].find((one) => stamp.startsWith(one));
  return prefix && stamp.slice(prefix.length);
}

/** The globs of a checkout when it was last known to be a person's. */
export function knownGlobs(tables: WatchTables, key: AreaKey): string[] | undefined {
  return tables.watchedPath(key, AREA_ROW)?.hash.split('\n').filter(Boolean);
}

/** Takes a difference over into what is known. */
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

/** Takes an area as it is: nobody but a person can have changed it. */
export function acceptArea(
  tables: WatchTables,
  area: WatchArea,
  rows: readonly WatchedRow[],
  comparison: Comparison,
  globs: readonly string[],
): void {
  for (const difference of comparison.differences) {
    const { before, found } = difference;
    // An agent's, that could not be put back.
    if (before && markOf(before) === (found?.hash ?? NOTHING_HASH)) continue;
    accept(tables, area, difference);
  }
  restamp(tables, area, comparison, rows);
  const spec = globs.join('\n');
  const known = rows.find(({ path }) => path === AREA_ROW);
  if (known?.hash !== spec) tables.watch(area.key, { path: AREA_ROW, stamp: '', hash: spec, mode: 0 });
}

/** Only where it says something new: most of what is read again just after a change keeps its empty stamp. */
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
