import * as z from 'zod';
import { GuardKitError } from '../../guardkit-error.ts';
import { inTransaction } from '../ledger/in-transaction.ts';
import { featuresRecordedSchema } from '../ledger/kinds/work/features-recorded.ts';
import type { Ledger } from '../ledger/ledger.ts';
import {
  copiedChain,
  hasShared,
  lastShared,
  noteChain,
  notePulled,
  noteShared,
  pulledUpTo,
  sharedNumbers,
} from '../ledger/shared-writer.ts';
import { applyRecordedFeatures } from '../ledger/tables/feature-table.ts';
import type { Session } from '../postgres/postgres-database.ts';
import { SHARED_KINDS } from './shared-kinds.ts';

const rowSchema = z.object({
  number: z.number(),
  kind: z.string(),
  at: z.number(),
  body: z.string(),
  machine: z.string(),
  epoch: z.number(),
});

type Row = z.infer<typeof rowSchema>;

const ROWS_AT_ONCE = 500;

/** Copies what other machines recorded into this machine's ledger. Returns how many entries were new. */
export async function pullChain(database: Session, ledger: Ledger, project: string): Promise<number> {
  await requireSameChain(database, ledger, project);
  let pulled = 0;
  for (;;) {
    const after = pulledUpTo(ledger.file, project);
    const rows = z.array(rowSchema).parse(
      await database.query({
        text: `SELECT number, kind, at, body, machine, epoch FROM guardkit_queue.entry
          WHERE project = ? AND number > ? ORDER BY number LIMIT ${ROWS_AT_ONCE}`,
        values: [project, after],
      }),
    );
    const last = rows.at(-1);
    if (!last) return pulled;
    pulled += inTransaction(ledger, () => {
      // This machine has its own entries already, and may have added some since the query.
      const missing = rows.filter(({ number }) => !hasShared(ledger.file, project, number));
      const findOwn = ownEntries(ledger, project);
      for (const row of missing) take(ledger, project, row, findOwn(row));
      notePulled(ledger.file, project, last.number);
      return missing.length;
    });
  }
}

/** The numbers of another chain mean other entries: this machine would miss some, and take others for known. */
async function requireSameChain(database: Session, { file }: Ledger, project: string): Promise<void> {
  // Read first: another process of this machine may add entries during the query.
  const last = lastShared(file, project);
  const copied = copiedChain(file, project);
  const [found] = await database.query<{ chain: string; number: number }>({
    text: 'SELECT chain, number FROM guardkit_queue.project WHERE project = ?',
    values: [project],
  });
  if (!found) return;
  if (copied !== undefined && copied !== found.chain)
    throw otherChain(`The queue of ${project} on this server is not the one that this machine has copied.`);
  if (found.number < last)
    throw otherChain(
      `The shared chain of ${project} has ${found.number} entries on this server; this machine has copied ${last}.`,
    );
  if (copied === undefined) noteChain(file, project, found.chain);
}

function otherChain(message: string): GuardKitError {
  return new GuardKitError({
    code: 'queue.other-chain',
    kind: 'outside',
    message,
    hint: 'Use the earlier server, or restore its newest backup. To use this queue as it is, set GUARDKIT_HOME to an empty folder. Nothing was changed.',
  });
}

function take(
  ledger: Ledger,
  project: string,
  { number, kind, at, body }: Row,
  own: number | undefined,
): void {
  if (!ledger.kinds.has(kind)) throw unknownKind(kind);
  if (own !== undefined) {
    noteShared(ledger.file, project, number, own);
    return;
  }
  const parsed: unknown = JSON.parse(body);
  const [head] = ledger.adopt(project, [{ kind, body: parsed, at }]);
  if (!head) throw new Error('an adopted entry has no head');
  noteShared(ledger.file, project, number, head.number);
  if (kind === 'features_recorded')
    applyRecordedFeatures(ledger, project, featuresRecordedSchema.parse(parsed), head.number);
}

/**
 * Finds entries that this machine added to the shared chain, and was killed or cut off before it noted this. Each is found
 * once. In a transaction: entries that are adopted meanwhile are noted at once.
 */
function ownEntries(ledger: Ledger, project: string): (row: Row) => number | undefined {
  let unnoted: Map<string, number[]> | undefined;
  const keyOf = (kind: string, body: string) => `${kind} ${body}`;
  const readUnnoted = () => {
    const noted = new Set(sharedNumbers(ledger.file, project).values());
    const found = new Map<string, number[]>();
    for (const { kind, body, number } of ledger.entries(project)) {
      if (!SHARED_KINDS.has(kind) || noted.has(number)) continue;
      const key = keyOf(kind, JSON.stringify(body));
      found.set(key, [...(found.get(key) ?? []), number]);
    }
    return found;
  };
  return ({ kind, body, machine, epoch }) => {
    // Workers append under an epoch, and note an entry together with it.
    if (machine !== ledger.id || epoch !== 0) return undefined;
    unnoted ??= readUnnoted();
    return unnoted.get(keyOf(kind, body))?.shift();
  };
}

function unknownKind(kind: string): GuardKitError {
  return new GuardKitError({
    code: 'queue.newer-entry',
    kind: 'outside',
    message: `Another machine recorded a "${kind.slice(0, 80)}", which this guardkit does not know.`,
    hint: 'Upgrade guardkit on this machine. Nothing was changed.',
  });
}
