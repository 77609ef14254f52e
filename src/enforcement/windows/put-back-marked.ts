import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import type { WatchedRow, WatchTables } from '../../store/ledger/watch-tables.ts';
import { accept, isStuck, markOf, stuckRow } from './area-state.ts';
import { committedContent } from './committed-content.ts';
import { absolutePath } from './compare-area.ts';
import { FOLDER_HASH, type Found, lookAt, NOTHING_HASH, readFound } from './found.ts';
import { type PutBackPlace, type PutBackResult, putBack } from './put-back.ts';
import { workOf } from './sessions.ts';
import type { WatchArea } from './watch-areas.ts';
import type { WatchPlace } from './watch-place.ts';
import type { ActionWindow } from './window.ts';

/** Puts back everything that is marked. Gives why not, by the path as it is shown, for what cannot be. */
export function putBackMarked(
  place: WatchPlace,
  tables: WatchTables,
  areas: readonly WatchArea[],
  window: ActionWindow,
): Map<string, string> {
  const failures = new Map<string, string>();
  for (const area of areas) {
    const rows = tables.watched(area.key);
    const folderModes = new Map(
      rows.filter(({ hash }) => hash === FOLDER_HASH).map((row) => [join(area.folder, row.path), row.mode]),
    );
    // A folder comes before what is in it.
    for (const row of rows) {
      const mark = markOf(row);
      if (mark === undefined) continue;
      const absolute = absolutePath(area, row.path);
      const found = see(absolute, row.path);
      const hash = found?.hash ?? NOTHING_HASH;
      if (hash !== mark && hash !== row.hash) {
        // Something else is there by now; it is for the next look, which copies it first.
        forget(tables, area, row);
        continue;
      }
      const content = () => contentOf(place, tables, area, row);
      const result = mend(content, row, found, { folder: area.folder, absolute, folderModes });
      if (result.ok) settleRow(tables, area, row, see(absolute, row.path));
      else {
        const shown = area.shown(row.path);
        failures.set(shown, result.why);
        if (!isStuck(row)) recordFailure(place, shown, row, window, result.why);
        // What can never be put back is taken as it is: it is on record, and would be found again each time.
        if (result.kept) tables.watch(area.key, stuckRow(row, mark));
        else accept(tables, area, { path: row.path, before: row, found });
      }
    }
  }
  return failures;
}

/** As it was kept, or as it was committed where the copy is no longer what was kept. */
function contentOf(
  place: WatchPlace,
  tables: WatchTables,
  area: WatchArea,
  { path, hash }: WatchedRow,
): Buffer | undefined {
  const content = tables.kept(hash) ?? committedContent(place, area, path, hash);
  if (!content && tables.isAltered(hash))
    throw new Error(
      'the copy that GuardKit kept of it was changed by something else, and it is not committed',
    );
  return content;
}

function see(absolute: string, path: string): Found | undefined {
  const look = lookAt(absolute);
  return look && readFound(absolute, path, look);
}

function mend(
  content: () => Buffer | undefined,
  row: WatchedRow,
  found: Found | undefined,
  at: PutBackPlace,
): PutBackResult {
  const same = (found?.hash ?? NOTHING_HASH) === row.hash;
  if (same && (!found || found.mode === row.mode || found.kind === 'link')) return { ok: true };
  try {
    if (!same) return putBack(row, isContent(row) ? content() : undefined, at);
    chmodSync(at.absolute, row.mode);
    return { ok: true };
  } catch (error) {
    return { ok: false, why: error instanceof Error ? error.message : String(error), kept: true };
  }
}

function isContent({ hash }: WatchedRow): boolean {
  return hash !== NOTHING_HASH && hash !== FOLDER_HASH;
}

function forget(tables: WatchTables, area: WatchArea, row: WatchedRow): void {
  if (row.hash === NOTHING_HASH) tables.unwatch(area.key, row.path);
  else tables.watch(area.key, { ...row, stamp: '' });
}

function settleRow(tables: WatchTables, area: WatchArea, row: WatchedRow, now: Found | undefined): void {
  if (row.hash === NOTHING_HASH) tables.unwatch(area.key, row.path);
  else tables.watch(area.key, { ...row, stamp: now?.hash === row.hash ? now.stamp : '' });
}

function recordFailure(
  { ledger, project }: WatchPlace,
  path: string,
  row: WatchedRow,
  { session, action, body }: ActionWindow,
  why: string,
): void {
  ledger.append(project, 'violation_recorded', {
    session,
    agent: body.agent,
    agent_type: body.agent_type,
    guard: 'protected-set',
    what: `${path} could not be put back: ${why}`,
    path,
    before_hash: row.hash,
    found_hash: markOf(row) ?? null,
    quarantined: null,
    restored: false,
    action,
    ...workOf({ ledger, project }, session),
  });
}
