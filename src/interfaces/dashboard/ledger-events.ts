import * as z from 'zod';
import type { Ledger } from '../../store/ledger/ledger.ts';

/** What a page needs to know of a new entry; it then reads what it shows again. */
export const ledgerEventSchema = z.strictObject({
  number: z.int(),
  kind: z.string(),
  /** ISO 8601. */
  at: z.string(),
  feature: z.string().nullable(),
  task: z.string().nullable(),
  turn: z.int().nullable(),
  step: z.string().nullable(),
});

export type LedgerEvent = z.infer<typeof ledgerEventSchema>;

const rowSchema = ledgerEventSchema.extend({ at: z.int() });

/** Entries after one number, up to another, the oldest first. Bodies are not parsed: most are not shown. */
export function readEvents(ledger: Ledger, project: string, after: number, upTo: number): LedgerEvent[] {
  const { database, attempt } = ledger.file;
  const field = (name: string) => `iif(json_valid(body), body ->> '$.${name}', NULL)`;
  const rows = attempt(() =>
    database
      .prepare(
        `SELECT number, kind, at, ${field('feature_id')} AS feature, ${field('task_id')} AS task,
           ${field('turn_number')} AS turn, ${field('step')} AS step
         FROM entries WHERE project = ? AND number > ? AND number <= ? ORDER BY number`,
      )
      .all(project, after, upTo),
  );
  return rows.flatMap((raw) => {
    // An entry of a newer version may have other fields under these names.
    const row = rowSchema.safeParse(raw);
    return row.success ? [{ ...row.data, at: new Date(row.data.at).toISOString() }] : [];
  });
}
