import type { Session } from '../postgres/postgres-database.ts';
import type { Claim } from './chain-append.ts';
import { claimLost } from './queue-error.ts';

/** Takes a feature over from its worker, whose later writes are refused. */
export async function claimFeature(
  session: Session,
  { project, feature, worker }: Omit<Claim, 'epoch'>,
): Promise<Claim> {
  const [row] = await session.query<{ epoch: number }>({
    text: `INSERT INTO guardkit_queue.claim (project, feature, epoch, worker)
        SELECT ?, ?, 1, id FROM guardkit_queue.worker WHERE id = ? AND ended_at IS NULL
      ON CONFLICT (project, feature) DO UPDATE
        SET epoch = claim.epoch + 1, worker = excluded.worker, taken_at = now(), released_at = NULL
      RETURNING epoch`,
    values: [project, feature, worker],
  });
  // A worker that was declared dead gets nothing.
  if (!row) throw claimLost(feature);
  return { project, feature, epoch: row.epoch, worker };
}

export async function releaseClaim(session: Session, claim: Claim): Promise<void> {
  const { project, feature, epoch } = claim;
  await session.query({
    text: `UPDATE guardkit_queue.claim SET released_at = now()
      WHERE project = ? AND feature = ? AND epoch = ? AND released_at IS NULL`,
    values: [project, feature, epoch],
  });
}

/** The claims that a worker still has, as `project feature epoch`. */
export async function heldClaims(session: Session, worker: string): Promise<Set<string>> {
  const rows = await session.query<Omit<Claim, 'worker'>>({
    text: 'SELECT project, feature, epoch FROM guardkit_queue.claim WHERE worker = ? AND released_at IS NULL',
    values: [worker],
  });
  return new Set(rows.map(claimKey));
}

export function claimKey({ project, feature, epoch }: Omit<Claim, 'worker'>): string {
  return `${project} ${feature} ${epoch}`;
}
