import type { PostgresDatabase, Session } from '../postgres/postgres-database.ts';
import { claimLost } from './queue-error.ts';

export interface ReservationRequest {
  project: string;
  feature: string;
  worker: string;
  /** The most that is reserved. */
  usd: number;
  item: number;
}

export type Reservation =
  | { ok: true; id: number; usd: number }
  /** `isPending`: agents of other features may leave some of what is reserved for them. */
  | { ok: false; isPending: boolean; why: string }
  /** Nothing limits it. */
  | { ok: true; id: undefined; usd: undefined };

/** With less, no agent gets anywhere. */
const LEAST_USD = 0.01;
/** Less than others wait for a lock. */
export const HUNG_MS = 3000;

interface Spent {
  project_budget: number | null;
  item_budget: number | null;
  project_spent: number;
  item_spent: number;
  /** Reserved for agents that run now, for other features. */
  pending: number;
}

/**
 * Reserves money for one run of an agent, from the budgets of the project and of the queued feature. A reservation that is
 * never settled, because its worker died, counts as spent.
 */
export async function reserve(database: PostgresDatabase, asked: ReservationRequest): Promise<Reservation> {
  const { project, feature, worker, usd, item } = asked;
  // Most projects have no budget, and then one query is enough.
  if (!(await hasBudget(database, asked))) return { ok: true, id: undefined, usd: undefined };
  return database.transaction(async (session): Promise<Reservation> => {
    // Workers reserve one after the other, or two could take the same last dollar. One that hangs here must not hold up others.
    await session.query({ text: `SET LOCAL idle_in_transaction_session_timeout = ${HUNG_MS}`, values: [] });
    await session.query({
      text: 'SELECT pg_advisory_xact_lock(47232, hashtext(?))',
      values: [project],
    });
    const [row] = await session.query<Spent & Record<string, unknown>>({
      text: `SELECT p.budget_usd AS project_budget, i.budget_usd AS item_budget,
          (SELECT coalesce(sum(coalesce(spent_usd, usd)), 0) FROM guardkit_queue.reservation r
            WHERE r.project = p.project) AS project_spent,
          (SELECT coalesce(sum(coalesce(spent_usd, usd)), 0) FROM guardkit_queue.reservation r
            WHERE r.project = p.project AND r.feature = i.feature AND r.made_at >= i.added_at) AS item_spent,
          (SELECT coalesce(sum(r.usd), 0) FROM guardkit_queue.reservation r
            JOIN guardkit_queue.claim c ON c.project = r.project AND c.feature = r.feature AND c.worker = r.worker
              AND c.released_at IS NULL
            JOIN guardkit_queue.worker w ON w.id = r.worker AND w.ended_at IS NULL
            WHERE r.project = p.project AND r.feature <> i.feature AND r.spent_usd IS NULL AND r.id = (
              SELECT max(id) FROM guardkit_queue.reservation l
              WHERE l.project = r.project AND l.feature = r.feature)) AS pending
        FROM guardkit_queue.project p JOIN guardkit_queue.item i ON i.project = p.project
        WHERE p.project = ? AND i.id = ?`,
      values: [project, item],
    });
    if (!row || (row.project_budget === null && row.item_budget === null))
      return { ok: true, id: undefined, usd: undefined };
    const ofProject = (row.project_budget ?? Number.POSITIVE_INFINITY) - row.project_spent;
    const wanted = Math.min(usd, (row.item_budget ?? Number.POSITIVE_INFINITY) - row.item_spent);
    const taken = Math.min(wanted, ofProject);
    if (wanted >= LEAST_USD && ofProject < wanted && row.pending > 0)
      return { ok: false, isPending: true, why: 'the rest of the budget is reserved for other features' };
    if (taken < LEAST_USD)
      return { ok: false, isPending: false, why: `the budget of ${feature} or of its project is spent` };
    const [made] = await session.query<{ id: number }>({
      text: `INSERT INTO guardkit_queue.reservation (project, feature, worker, usd)
        SELECT c.project, c.feature, c.worker, ? FROM guardkit_queue.claim c
          JOIN guardkit_queue.worker w ON w.id = c.worker AND w.ended_at IS NULL
          WHERE c.project = ? AND c.feature = ? AND c.worker = ? AND c.released_at IS NULL
        RETURNING id`,
      values: [taken, project, feature, worker],
    });
    // A worker that was declared dead would take the money from the one that builds the feature now.
    if (!made) throw claimLost(feature);
    return { ok: true, id: Number(made.id), usd: taken };
  });
}

async function hasBudget(
  session: Session,
  { project, item }: Pick<ReservationRequest, 'project' | 'item'>,
): Promise<boolean> {
  const rows = await session.query({
    text: `SELECT 1 FROM guardkit_queue.project p JOIN guardkit_queue.item i ON i.project = p.project
      WHERE p.project = ? AND i.id = ? AND (p.budget_usd IS NOT NULL OR i.budget_usd IS NOT NULL)`,
    values: [project, item],
  });
  return rows.length > 0;
}

/** Replaces a reservation by what the agent cost; without a known cost it stays as it is. */
export async function settle(database: PostgresDatabase, id: number, usd: number | null): Promise<void> {
  await database.query({
    text: 'UPDATE guardkit_queue.reservation SET spent_usd = coalesce(?, usd) WHERE id = ?',
    values: [usd, id],
  });
}

/** What agents of a project cost or may still cost, where a budget was set. */
export async function spentUsd(session: Session, project: string): Promise<number> {
  const [row] = await session.query<{ spent: number }>({
    text: `SELECT coalesce(sum(coalesce(spent_usd, usd)), 0) AS spent
      FROM guardkit_queue.reservation WHERE project = ?`,
    values: [project],
  });
  return Number(row?.spent ?? 0);
}
