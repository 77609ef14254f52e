import * as z from 'zod';
import { GuardKitError } from '../../guardkit-error.ts';
import { inTransaction } from '../ledger/in-transaction.ts';
import { featuresRecordedSchema } from '../ledger/kinds/work/features-recorded.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { hasShared, notePulled, noteShared, pulledUpTo } from '../ledger/shared-writer.ts';
import { applyRecordedFeatures } from '../ledger/tables/feature-table.ts';
import type { Session } from '../postgres/postgres-database.ts';

const rowSchema = z.object({ number: z.number(), kind: z.string(), at: z.number(), body: z.string() });

type Row = z.infer<typeof rowSchema>;

const ROWS_AT_ONCE = 500;

/** Copies what other machines recorded into this machine's ledger. Returns how many entries were new. */
export async function pullChain(database: Session, ledger: Ledger, project: string): Promise<number> {
  let pulled = 0;
  for (;;) {
    const after = pulledUpTo(ledger.file, project);
    const rows = z.array(rowSchema).parse(
      await database.query({
        text: `SELECT number, kind, at, body FROM guardkit_queue.entry
          WHERE project = ? AND number > ? ORDER BY number LIMIT ${ROWS_AT_ONCE}`,
        values: [project, after],
      }),
    );
    const last = rows.at(-1);
    if (!last) return pulled;
    pulled += inTransaction(ledger, () => {
      // This machine has its own entries already, and may have added some since the query.
      const missing = rows.filter(({ number }) => !hasShared(ledger.file, project, number));
      for (const row of missing) take(ledger, project, row);
      notePulled(ledger.file, project, last.number);
      return missing.length;
    });
  }
}

function take(ledger: Ledger, project: string, { number, kind, at, body }: Row): void {
  if (!ledger.kinds.has(kind)) throw unknownKind(kind);
  const parsed: unknown = JSON.parse(body);
  const [head] = ledger.adopt(project, [{ kind, body: parsed, at }]);
  if (!head) throw new Error('an adopted entry has no head');
  noteShared(ledger.file, project, number, head.number);
  if (kind === 'features_recorded')
    applyRecordedFeatures(ledger, project, featuresRecordedSchema.parse(parsed), head.number);
}

function unknownKind(kind: string): GuardKitError {
  return new GuardKitError({
    code: 'queue.newer-entry',
    kind: 'outside',
    message: `Another machine recorded a "${kind.slice(0, 80)}", which this guardkit does not know.`,
    hint: 'Upgrade guardkit on this machine. Nothing was changed.',
  });
}
