import { ENTRY_COLUMNS, toEntryRow } from './chain/entry-hash.ts';
import { type ProtectionPaused, protectionPausedSchema } from './kinds/protection/pause.ts';
import type { Ledger } from './ledger.ts';

/** No pause is longer, so older entries need not be read. */
export const MAX_PAUSE_MS = 24 * 60 * 60 * 1000;

/**
 * When the current pause ends (ISO 8601); undefined if protection is on. One indexed query, cheap enough for every
 * hook.
 */
export function pausedUntil(ledger: Ledger, project: string, now: number): string | undefined {
  const pause = lastPause(ledger, project);
  return pause && isPausedAt(pause, now) ? pause.until : undefined;
}

/** The current pause with its reason. */
export function currentPause(ledger: Ledger, project: string, now: number): ProtectionPaused | undefined {
  const pause = lastPause(ledger, project);
  return pause && isPausedAt(pause, now) ? pause : undefined;
}

/** Records that a pause has expired. Returns whether there was one. */
export function recordPauseEnd(ledger: Ledger, project: string, now: number): boolean {
  const pause = lastPause(ledger, project);
  if (!pause || isPausedAt(pause, now)) return false;
  ledger.append(project, 'protection_resumed', { by: 'guardkit', automatic: true });
  return true;
}

/** A clock that was set back must not extend a pause beyond the maximum. */
function isPausedAt({ until }: ProtectionPaused, now: number): boolean {
  const end = Date.parse(until);
  return now < end && end - now <= MAX_PAUSE_MS;
}

/** The last pause that nobody has ended. */
function lastPause({ file }: Ledger, project: string): ProtectionPaused | undefined {
  const { database, attempt, signatures } = file;
  const newestFirst = database.prepare(
    `SELECT ${ENTRY_COLUMNS} FROM entries WHERE project = @project AND kind = @kind AND number > @after
     ORDER BY number DESC`,
  );
  const resumed = database
    .prepare("SELECT max(number) FROM entries WHERE project = ? AND kind = 'protection_resumed'")
    .pluck();
  return attempt(() => {
    const after = Number(resumed.get(project) ?? 0);
    const rows = newestFirst.all({ project, kind: 'protection_paused', after });
    const pause = rows.map(toEntryRow).find((row) => signatures.counts(row));
    return pause && protectionPausedSchema.parse(JSON.parse(pause.body));
  });
}
