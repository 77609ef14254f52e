import type { SharedEntry } from '../ledger/shared-writer.ts';
import type { Session } from '../postgres/postgres-database.ts';
import { stepKey } from './shared-kinds.ts';

/** A worker's right to write about a feature; epoch 0 is a person's command that writes without one. */
export interface Claim {
  project: string;
  feature: string;
  epoch: number;
  worker: string;
}

/** Entries for the shared chain, with the claim they are written under and the head of the machine's own chain. */
export interface AppendRequest {
  claim: Claim;
  machine: { id: string; number: number; hash: string };
  /** Unique: a repeated request adds nothing. */
  batch: string;
  entries: readonly SharedEntry[];
}

/** Returns the number of the first entry. */
export async function appendToChain(session: Session, request: AppendRequest): Promise<number> {
  const { claim, machine, batch, entries } = request;
  const { project, feature, epoch, worker } = claim;
  const rows = entries.map(({ kind, body }) => ({ kind, body, key: stepKey(kind, body) }));
  const [row] = await session.query<{ first: number }>({
    name: 'append',
    text: 'SELECT guardkit_queue.append(?, ?, ?::integer, ?, ?, ?::bigint, ?, ?, ?::jsonb) AS first',
    values: [
      project,
      feature,
      epoch,
      worker,
      machine.id,
      machine.number,
      machine.hash,
      batch,
      JSON.stringify(rows),
    ],
  });
  return Number(row?.first);
}
