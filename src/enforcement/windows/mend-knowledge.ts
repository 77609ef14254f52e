import { join } from 'node:path';
import type { WatchedRow, WatchTables } from '../../store/ledger/watch-tables.ts';
import type { WatchArea } from './watch-areas.ts';
import type { WatchPlace } from './watch-place.ts';
import type { ActionWindow } from './window.ts';

/**
 * Makes what is known of an area again what GuardKit left, where something else has written into its tables, and records
 * that. Gives whether it had to: then nothing that differs is a person's. Called in a transaction.
 */
export function mendKnowledge(
  { ledger, project, dataFolder }: WatchPlace,
  tables: WatchTables,
  { key, folder }: WatchArea,
  window: ActionWindow | undefined,
): boolean {
  const rows = tables.watched(key);
  const before = tables.unaltered(key, rows);
  if (!before) return false;
  const paths = new Set(before.map(({ path }) => path));
  for (const { path } of rows) if (!paths.has(path)) tables.unwatch(key, path);
  for (const row of before) tables.watch(key, sameAs(row, rows) ?? { ...row, stamp: '' });
  ledger.append(project, 'violation_recorded', {
    session: window?.session ?? 'unknown',
    agent: window?.body.agent ?? 'unknown',
    agent_type: window?.body.agent_type ?? null,
    guard: 'protected-set',
    what: `what the ledger says of the protected files in ${folder} was changed by something other than GuardKit`,
    path: join(dataFolder, 'ledger.db'),
    before_hash: null,
    found_hash: null,
    quarantined: null,
    restored: true,
    action: window?.action ?? null,
  });
  return true;
}

/** With a mark that it may bear. */
function sameAs(row: WatchedRow, rows: readonly WatchedRow[]): WatchedRow | undefined {
  return rows.find(({ path, hash, mode }) => path === row.path && hash === row.hash && mode === row.mode);
}
