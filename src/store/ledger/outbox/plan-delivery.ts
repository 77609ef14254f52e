import type { EpisodeInput } from '../../../domain/entities/episode.ts';
import type { EntryKindRegistry } from '../chain/entry-kind.ts';
import { entryHash, entryRowSchema, readEntry } from '../chain/ledger-entry.ts';
import type { PendingEntry } from './outbox.ts';

export type DeliveryPlan =
  | { type: 'deliver'; episodes: EpisodeInput[] }
  /** It is the fault of the entry itself, and no later try will mend it. */
  | { type: 'refuse'; reason: string }
  /** Another version of guardkit can deliver it, so it and what comes after it wait. */
  | { type: 'wait'; reason: string };

/** What to tell the episode store of a pending entry. */
export function planDelivery(
  pending: PendingEntry,
  ledgerId: string,
  kinds: EntryKindRegistry,
): DeliveryPlan {
  const row = entryRowSchema.safeParse(pending.row);
  if (!row.success) return { type: 'refuse', reason: 'The entry is missing from the ledger.' };
  if (entryHash(ledgerId, row.data) !== row.data.hash) {
    return { type: 'refuse', reason: 'The entry was changed after it was written.' };
  }
  const kind = kinds.get(row.data.kind);
  if (!kind?.episodes) return wait(`does not know what to store of a ${row.data.kind}`);
  const entry = readEntry(row.data, kind);
  // Its hash is right, so it fitted the schema of the guardkit that wrote it.
  if (!entry) return wait(`has another form of ${row.data.kind}`);
  return { type: 'deliver', episodes: kind.episodes({ ...entry, ledger: ledgerId }) };
}

function wait(reason: string): DeliveryPlan {
  return { type: 'wait', reason: `This guardkit ${reason}; upgrade it.` };
}
