import type { PostgresDatabase, Session } from '../postgres/postgres-database.ts';

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
  | { ok: false; why: string }
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
            WHERE r.project = p.project AND r.feature = i.feature AND r.made_at >= i.added_at) AS item_spent
        FROM guardkit_queue.project p JOIN guardkit_queue.item i ON i.project = p.project
        WHERE p.project = ? AND i.id = ?`,
      values: [project, item],
    });
    if (!row || (row.project_budget === null && row.item_budget === null))
      return { ok: true, id: undefined, usd: undefined };
    const left = Math.min(
      (row.project_budget ?? Number.POSITIVE_INFINITY) - row.project_spent,
      (row.item_budget ?? Number.POSITIVE_INFINITY) - row.item_spent,
    );
    if (left < LEAST_USD)
      return { ok: false, why: `the budget of ${feature} or of its project is spent or reserved` };
    const taken = Math.min(usd, left);
    const [made] = await session.query<{ id: number }>({
      text: `INSERT INTO guardkit_queue.reservation (project, feature, worker, usd)
        VALUES (?, ?, ?, ?) RETURNING id`,
      values: [project, feature, worker, taken],
    });
    return { ok: true, id: Number(made?.id), usd: taken };
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
