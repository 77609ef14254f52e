import { setImmediate } from 'node:timers/promises';
import type { EpisodeInput } from '../../../domain/entities/episode.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import type { EpisodeStore } from '../../episode-store.ts';
import { entryHash } from '../chain/entry-hash.ts';
import { entryRowSchema, readEntry } from '../chain/ledger-entry.ts';
import type { Ledger } from '../ledger.ts';
import type { PendingEntry, RefusedEntry } from './outbox.ts';

export interface DeliverOptions {
  /** Stops before the next entry; the current one is finished. */
  signal?: AbortSignal;
  /** How many entries to try (default: all). */
  limit?: number;
}

/** A project whose next entry only another version of guardkit can deliver. */
export interface WaitingLine {
  project: string;
  number: number;
  reason: string;
}

export interface DeliveryReport {
  /** Entries that this call delivered. */
  delivered: number;
  /** Entries still to be delivered. */
  pending: number;
  /** Entries refused in this call; later ones were still delivered. */
  refused: RefusedEntry[];
  waiting: WaitingLine[];
  /** Why the call ended early: the store is unavailable. */
  failure?: Error;
}

type Outcome =
  | { type: 'delivered' | 'settled-elsewhere' | 'line-empty' }
  | { type: 'refused'; entry: RefusedEntry }
  | { type: 'waiting'; line: WaitingLine }
  | { type: 'away'; failure: Error };

export type DeliveryTarget = Pick<EpisodeStore, 'upsertMany'>;

/** Delivers pending entries to the episode store, in order within each project. Several processes may do so at once. */
export async function deliverOutbox(
  ledger: Ledger,
  store: DeliveryTarget,
  { signal, limit = Number.POSITIVE_INFINITY }: DeliverOptions = {},
): Promise<DeliveryReport> {
  const report: Omit<DeliveryReport, 'pending'> = { delivered: 0, refused: [], waiting: [] };
  const lines = ledger.outbox.pendingProjects();
  let tried = 0;
  while (tried < limit && !signal?.aborted && !report.failure) {
    const project = lines[0];
    if (project === undefined) break;
    const outcome = await deliverNext(ledger, store, project);
    switch (outcome.type) {
      case 'delivered':
        report.delivered += 1;
        tried += 1;
        break;
      case 'settled-elsewhere':
        tried += 1;
        break;
      case 'refused':
        report.refused.push(outcome.entry);
        tried += 1;
        break;
      case 'waiting':
        report.waiting.push(outcome.line);
        lines.shift();
        break;
      case 'line-empty':
        lines.shift();
        break;
      case 'away':
        report.failure = outcome.failure;
        break;
    }
    // An embedded store answers without yielding to the event loop, which would block the writers.
    await setImmediate();
  }
  return { ...report, pending: ledger.outbox.status().pending };
}

async function deliverNext(ledger: Ledger, store: DeliveryTarget, project: string): Promise<Outcome> {
  const { outbox } = ledger;
  const pending = outbox.next(project);
  if (!pending) return { type: 'line-empty' };
  const { number } = pending;
  const plan = planDelivery(pending, ledger);
  if (plan.type === 'wait') return { type: 'waiting', line: { project, number, reason: plan.reason } };
  if (plan.type === 'refuse') return refuse(ledger, project, number, plan.reason);
  const once = { stream: streamOf(ledger, project), number, hash: plan.hash };
  const answer = await tell(() => store.upsertMany(plan.episodes, { once }));
  switch (answer.type) {
    case 'stored':
      outbox.settle(project, number);
      return { type: 'delivered' };
    case 'passed':
      outbox.settleUnlessRefused(project, number);
      return { type: 'settled-elsewhere' };
    case 'refused':
      return refuse(ledger, project, number, answer.reason);
    case 'away':
      return answer;
  }
}

/** The name under which a store counts the entries of a project. */
export function streamOf({ id }: Pick<Ledger, 'id'>, project: string): string {
  return `${id}/${project}`;
}

type Answer =
  | { type: 'stored' | 'passed' }
  | { type: 'refused'; reason: string }
  | { type: 'away'; failure: Error };

async function tell(upsert: () => ReturnType<DeliveryTarget['upsertMany']>): Promise<Answer> {
  try {
    return { type: (await upsert()) === undefined ? 'passed' : 'stored' };
  } catch (error) {
    if (error instanceof GuardKitError && error.kind !== 'outside')
      return { type: 'refused', reason: error.message };
    return { type: 'away', failure: error instanceof Error ? error : new Error(String(error)) };
  }
}

function refuse(ledger: Ledger, project: string, number: number, reason: string): Outcome {
  const entry = ledger.outbox.refuse(project, number, reason);
  return entry ? { type: 'refused', entry } : { type: 'settled-elsewhere' };
}

type DeliveryPlan =
  | { type: 'deliver'; episodes: EpisodeInput[]; hash: string }
  /** The entry itself is invalid, and a retry would not help. */
  | { type: 'refuse'; reason: string }
  /** Another version of guardkit can deliver it, so it and later entries wait. */
  | { type: 'wait'; reason: string };

/** What to deliver for a pending entry. */
function planDelivery(pending: PendingEntry, { id: ledgerId, kinds, file }: Ledger): DeliveryPlan {
  const row = entryRowSchema.safeParse(pending.row);
  if (!row.success) return { type: 'refuse', reason: 'The entry is missing from the ledger.' };
  if (entryHash(ledgerId, row.data) !== row.data.hash) {
    return { type: 'refuse', reason: 'The entry was changed after it was written.' };
  }
  if (!file.signatures.counts(row.data))
    return { type: 'refuse', reason: 'This machine did not sign the entry.' };
  const kind = kinds.get(row.data.kind);
  if (!kind?.episodes) return wait(`cannot deliver a ${row.data.kind}`);
  const entry = readEntry(row.data, kind);
  // Its hash is correct, so it matched the schema of the guardkit that wrote it.
  if (!entry) return wait(`has another format of ${row.data.kind}`);
  return { type: 'deliver', episodes: kind.episodes({ ...entry, ledger: ledgerId }), hash: row.data.hash };
}

function wait(reason: string): DeliveryPlan {
  return { type: 'wait', reason: `This guardkit ${reason}; upgrade it.` };
}
