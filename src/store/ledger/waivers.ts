import type * as z from 'zod';
import { ENTRY_COLUMNS, toEntryRow } from './chain/entry-hash.ts';
import type { waiverUsedSchema } from './kinds/guards/waivers.ts';
import { waiverIssuedSchema } from './kinds/guards/waivers.ts';
import type { Ledger } from './ledger.ts';

/** No waiver lasts longer, so older entries need not be read. */
export const MAX_WAIVER_MS = 24 * 60 * 60 * 1000;

export interface ActiveWaiver {
  id: string;
  guard: string;
  until: string;
  /** Remaining uses; undefined means unlimited. */
  uses: number | undefined;
  reason: string;
  by: string;
}

/** The waivers in force. If none was issued recently, this is one index lookup. */
export function activeWaivers(ledger: Ledger, project: string, now: number): ActiveWaiver[] {
  const { database, attempt } = ledger.file;
  return attempt(() => {
    const since = { project, since: now - MAX_WAIVER_MS };
    const rows = database
      .prepare(
        `SELECT ${ENTRY_COLUMNS} FROM entries WHERE project = @project AND kind = 'waiver_issued' AND at > @since
         ORDER BY number`,
      )
      .all(since);
    const issued = rows.map(toEntryRow).filter((row) => ledger.file.signatures.counts(row));
    if (issued.length === 0) return [];
    const spent = countById(
      database
        .prepare(
          `SELECT body ->> '$.waiver_id' AS id, count(*) AS times FROM entries
           WHERE project = @project AND kind = 'waiver_used' AND at > @since GROUP BY 1`,
        )
        .raw()
        .all(since),
    );
    const revoked = countById(
      database
        .prepare(
          `SELECT body ->> '$.waiver_id' AS id, 1 FROM entries
           WHERE project = @project AND kind = 'waiver_revoked' AND at > @since`,
        )
        .raw()
        .all(since),
    );
    return issued.flatMap(({ body }) => {
      const { waiver_id: id, guard, until, uses, reason, by } = waiverIssuedSchema.parse(JSON.parse(body));
      const left = uses === null ? undefined : uses - (spent.get(id) ?? 0);
      const over = Date.parse(until) <= now || revoked.has(id) || (left !== undefined && left <= 0);
      return over ? [] : [{ id, guard, until, uses: left, reason, by }];
    });
  });
}

function countById(rows: readonly unknown[]): Map<string, number> {
  return new Map(rows.map((row) => (Array.isArray(row) ? [String(row[0]), Number(row[1])] : ['', 0])));
}

export type WaiverUse = z.input<typeof waiverUsedSchema>;

/**
 * Records the use of waivers, all or none. False if one is no longer in force, as when two actions use the last one at
 * the same time.
 */
export function useWaivers(
  ledger: Ledger,
  project: string,
  uses: readonly WaiverUse[],
  now: number,
): boolean {
  if (uses.length === 0) return true;
  const { database, attempt } = ledger.file;
  const use = database.transaction(() => {
    const active = new Set(activeWaivers(ledger, project, now).map(({ id }) => id));
    if (uses.some(({ waiver_id }) => !active.has(waiver_id))) return false;
    ledger.appendMany(
      project,
      uses.map((body) => ({ kind: 'waiver_used', body })),
    );
    return true;
  });
  return attempt(() => use.immediate());
}
