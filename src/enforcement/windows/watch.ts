import type { Ledger } from '../../store/ledger/ledger.ts';
import { type AreaKey, WatchTables } from '../../store/ledger/watch-tables.ts';
import { knownGlobs } from './area-state.ts';
import { type WatchArea, watchAreas } from './watch-areas.ts';
import type { WatchPlace } from './watch-place.ts';
import type { ActionWindow } from './window.ts';

const opened = new WeakMap<Ledger, WatchTables>();

/** Prepared once for a ledger: a hook asks several times. */
export function watchTables(ledger: Ledger): WatchTables {
  const known = opened.get(ledger);
  if (known) return known;
  const tables = new WatchTables(ledger);
  opened.set(ledger, tables);
  return tables;
}

/** The areas around a place, as they were last known to be made up: the configuration may be an agent's by now. */
export function knownAreas(place: WatchPlace, tables: WatchTables): WatchArea[] {
  const busy = new Set(tables.windows().map(({ checkout }) => checkout));
  return watchAreas(place, knownGlobs(tables, place) ?? place.globs).filter(({ kind, key, folder }) => {
    // One that came up meanwhile is new as a whole, and in one with agents of its own those are looked after.
    if (kind === 'worktree') return !busy.has(folder) && tables.watched(key).length > 0;
    return kind !== 'home' || !isUnseen(tables, key);
  });
}

/** Nobody has ever looked there: a variable leads to it, and what lies in it is a person's, whatever goes on. */
function isUnseen(tables: WatchTables, key: AreaKey): boolean {
  const rows = tables.watched(key);
  return rows.length === 0 && !tables.unaltered(key, rows);
}

/** Whether what goes on in a window can have changed an area. */
export function concerns(
  { kind, folder, repository: shared }: WatchArea,
  { checkout, body: { repository, confined, runs, state } }: ActionWindow,
): boolean {
  if (kind === 'checkout') return checkout === folder;
  if (confined) return false;
  // Persons work there while agents do here: only what changes during a command is taken for the command's.
  if (kind === 'worktree') return checkout === folder || (runs && state === 'open' && repository === shared);
  // One that cannot be read may be of any repository.
  if (kind === 'repository') return repository === folder || repository === '';
  return true;
}
