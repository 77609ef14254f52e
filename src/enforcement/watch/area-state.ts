import { AREA_ROW, type WatchedRow, type WatchTables } from '../../store/ledger/tables/watch-tables.ts';
import type { Comparison, Difference } from './compare-area.ts';
import type { WatchArea } from './watch-areas.ts';
import type { Found } from './watched-file.ts';

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

/** Notes what an area consists of. */
export function sealArea(
  tables: WatchTables,
  { key }: WatchArea,
  rows: readonly WatchedRow[],
  globs: readonly string[],
): void {
  const spec = globs.join('\n');
  const known = rows.find(({ path }) => path === AREA_ROW);
  if (known?.hash !== spec) tables.watch(key, { path: AREA_ROW, stamp: '', hash: spec, mode: 0 });
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
