import type { Session } from '../postgres/postgres-database.ts';

type ItemState =
  | 'waiting'
  | 'queued'
  | 'building'
  | 'completed'
  | 'blocked'
  | 'stopped'
  | 'cancelled'
  | 'failed';

const OPEN: readonly ItemState[] = ['waiting', 'queued', 'building'];

/** A feature in the queue. */
export interface QueueItem {
  id: number;
  project: string;
  feature: string;
  priority: number;
  budget_usd: number | null;
  /** Features that have to be completed before it. */
  needs: string[];
  state: ItemState;
  why: string;
  workflow: string | null;
  tries: number;
  added_at: Date;
  began_at: Date | null;
  ended_at: Date | null;
}

type Row = QueueItem & Record<string, unknown>;

const COLUMNS =
  'id, project, feature, priority, budget_usd, needs, state, why, workflow, tries, added_at, began_at, ended_at';

export interface NewItem {
  project: string;
  feature: string;
  priority: number;
  budgetUsd: number | undefined;
  needs: readonly string[];
}

/** Undefined if the feature is already in the queue. */
export async function addItem(session: Session, added: NewItem): Promise<QueueItem | undefined> {
  const { project, feature, priority, budgetUsd, needs } = added;
  const [row] = await session.query<Row>({
    text: `INSERT INTO guardkit_queue.item (project, feature, priority, budget_usd, needs)
      VALUES (?, ?, ?, ?, ?::text[]) ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`,
    values: [project, feature, priority, budgetUsd ?? null, [...needs]],
  });
  return row;
}

/** Takes features off what others wait for: those that a person completed, without the queue. */
export async function dropNeeds(session: Session, project: string, done: readonly string[]): Promise<void> {
  await session.query({
    text: `UPDATE guardkit_queue.item
      SET needs = ARRAY(SELECT need FROM unnest(needs) AS need WHERE need <> ALL(?::text[]))
      WHERE project = ? AND state = 'waiting' AND needs && ?::text[]`,
    values: [[...done], project, [...done]],
  });
}

/** Open items first, in the order in which they are built; then ended ones, the newest first. */
export function listItems(session: Session, project: string, limit = 1000): Promise<QueueItem[]> {
  return session.query<Row>({
    text: `SELECT ${COLUMNS} FROM guardkit_queue.item WHERE project = ?
      ORDER BY ended_at DESC NULLS FIRST, priority, id LIMIT ?`,
    values: [project, limit],
  });
}

const IS_READY = `state = 'waiting' AND NOT EXISTS (
  SELECT 1 FROM unnest(needs) AS need WHERE NOT EXISTS (
    SELECT 1 FROM guardkit_queue.entry e
    WHERE e.project = i.project AND e.feature = need AND e.kind = 'feature_stacked'))`;

/** Not all of a thousand at once: the first ones should start. */
const READY_AT_ONCE = 25;

/** Items whose needs are all completed by the shared chain, the most urgent first. */
export function readyItems(session: Session, projects: readonly string[]): Promise<QueueItem[]> {
  return session.query<Row>({
    text: `SELECT ${COLUMNS} FROM guardkit_queue.item i
      WHERE project = ANY(?::text[]) AND ${IS_READY} ORDER BY priority, id LIMIT ${READY_AT_ONCE}`,
    values: [[...projects]],
  });
}

export async function findItem(session: Session, id: number): Promise<QueueItem | undefined> {
  const [row] = await session.query<Row>({
    text: `SELECT ${COLUMNS} FROM guardkit_queue.item WHERE id = ?`,
    values: [id],
  });
  return row;
}

/** The open item of a feature, or its last one. */
export async function findItemOf(
  session: Session,
  project: string,
  feature: string,
): Promise<QueueItem | undefined> {
  const [row] = await session.query<Row>({
    text: `SELECT ${COLUMNS} FROM guardkit_queue.item WHERE project = ? AND feature = ?
      ORDER BY ended_at DESC NULLS FIRST LIMIT 1`,
    values: [project, feature],
  });
  return row;
}

/** Changes an open item; false if it has ended meanwhile, or if the worker that changes it was declared dead. */
export async function moveItem(
  session: Session,
  id: number,
  {
    from = OPEN,
    to,
    why = '',
    workflow = null,
    by = null,
  }: {
    from?: readonly ItemState[];
    to: ItemState;
    why?: string;
    workflow?: string | null | undefined;
    by?: string | null;
  },
): Promise<boolean> {
  const rows = await session.query({
    text: `UPDATE guardkit_queue.item SET state = ?, why = ?, ${setWorkflow('?')},
        began_at = CASE WHEN ? = 'building' THEN coalesce(began_at, now()) ELSE began_at END,
        ended_at = CASE WHEN ?::boolean THEN NULL ELSE now() END
      WHERE id = ? AND state = ANY(?::text[]) AND (?::text IS NULL
        OR EXISTS (SELECT 1 FROM guardkit_queue.worker w WHERE w.id = ? AND w.ended_at IS NULL)) RETURNING id`,
    values: [
      ...[to, why.slice(0, 2000), workflow, workflow, to, String(OPEN.includes(to))],
      ...[id, [...from], by, by],
    ],
  });
  return rows.length > 0;
}

/** Each workflow counts once, whether its worker or the one that queued it reports it first. */
const setWorkflow = (id: string) =>
  `tries = tries + (coalesce(${id}::text, workflow) IS DISTINCT FROM workflow)::integer,
    workflow = coalesce(${id}::text, workflow)`;

/** Notes the engine's workflow of an item. Another worker may already build it. */
export async function markQueued(session: Session, id: number, workflow: string): Promise<void> {
  await session.query({
    text: `UPDATE guardkit_queue.item SET state = CASE WHEN state = 'waiting' THEN 'queued' ELSE state END, ${setWorkflow('?')}
      WHERE id = ? AND state = ANY(?::text[])`,
    values: [workflow, workflow, id, [...OPEN]],
  });
}

/** Whether a feature of the project is built, or can be. What waits for a feature that failed cannot. */
export async function isRunnable(session: Session, project: string): Promise<boolean> {
  const rows = await session.query({
    text: `SELECT 1 FROM guardkit_queue.item i
      WHERE project = ? AND (state IN ('queued', 'building') OR ${IS_READY}) LIMIT 1`,
    values: [project],
  });
  return rows.length > 0;
}
