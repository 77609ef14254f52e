import type { Session } from '../postgres/postgres-database.ts';

/** How long a lock must be free, and how old a heartbeat may be. */
const FREE_SECONDS = 2;
const SILENT_SECONDS = 5;
/** Why a worker was declared dead. */
const SILENT = 'no heartbeat';
const CLOSED = 'connection closed';

/** A worker as others see it. */
export interface WorkerRow {
  id: string;
  host: string;
  pid: number;
  version: string;
  projects: string[];
  concurrency: number;
  started_at: Date;
  beat_at: Date;
  ended_at: Date | null;
  why: string | null;
  /** Features that it builds now. */
  building: string[];
}

export interface NewWorker {
  id: string;
  host: string;
  pid: number;
  version: string;
  projects: readonly string[];
  concurrency: number;
}

/** Registers a worker; returns the key of the advisory lock that its session is to hold. */
export async function addWorker(session: Session, added: NewWorker): Promise<number> {
  const { id, host, pid, version, projects, concurrency } = added;
  const [row] = await session.query<{ lock: number }>({
    text: `INSERT INTO guardkit_queue.worker (id, host, pid, version, projects, concurrency)
      VALUES (?, ?, ?, ?, ?::text[], ?) RETURNING lock`,
    values: [id, host, pid, version, [...projects], concurrency],
  });
  return Number(row?.lock);
}

/** False if the worker was declared dead: only then it must stop. Never brings a dead one back. */
export async function beat(session: Session, id: string): Promise<boolean> {
  const rows = await session.query({
    text: `UPDATE guardkit_queue.worker SET beat_at = clock_timestamp() WHERE id = ? AND ended_at IS NULL RETURNING id`,
    values: [id],
  });
  return rows.length > 0;
}

/** Whether nobody has declared the worker dead. */
export async function isAlive(session: Session, id: string): Promise<boolean> {
  const rows = await session.query({
    text: 'SELECT 1 FROM guardkit_queue.worker WHERE id = ? AND ended_at IS NULL',
    values: [id],
  });
  return rows.length > 0;
}

export async function countAlive(session: Session): Promise<number> {
  const [row] = await session.query<{ alive: number }>({
    text: 'SELECT count(*) AS alive FROM guardkit_queue.worker WHERE ended_at IS NULL',
    values: [],
  });
  return Number(row?.alive ?? 0);
}

export async function endWorker(session: Session, id: string, why: string): Promise<void> {
  await session.query({
    text: 'UPDATE guardkit_queue.worker SET ended_at = now(), why = ? WHERE id = ? AND ended_at IS NULL',
    values: [why, id],
  });
}

/**
 * All workers that are alive, and those that ended within a day. A silent one has ended too: the last worker of a project has
 * nobody who declares it dead.
 */
export function listWorkers(session: Session): Promise<WorkerRow[]> {
  return session.query<WorkerRow & Record<string, unknown>>({
    text: `SELECT id, host, pid, version, projects, concurrency, started_at, beat_at, gone_at AS ended_at,
        CASE WHEN ended_at IS NULL AND gone_at IS NOT NULL THEN '${SILENT}' ELSE why END AS why,
        coalesce((SELECT array_agg(feature ORDER BY feature) FROM guardkit_queue.claim
          WHERE worker = w.id AND released_at IS NULL AND gone_at IS NULL), '{}') AS building
      FROM (SELECT *, coalesce(ended_at, CASE
          WHEN beat_at < clock_timestamp() - interval '${SILENT_SECONDS} seconds' THEN beat_at END) AS gone_at
        FROM guardkit_queue.worker) w
      WHERE gone_at IS NULL OR gone_at > now() - interval '1 day'
      ORDER BY started_at, id`,
    values: [],
  });
}

/**
 * A live worker of the project with another GuardKit that registered before this one; two versions may judge the same turn
 * differently. Of two that start at the same time, the first one stays.
 */
export async function findOtherVersion(
  session: Session,
  project: string,
  { version, lock }: { version: string; lock: number },
): Promise<Pick<WorkerRow, 'host' | 'pid' | 'version'> | undefined> {
  const [row] = await session.query<Pick<WorkerRow, 'host' | 'pid' | 'version'>>({
    text: `SELECT host, pid, version FROM guardkit_queue.worker
      WHERE ? = ANY(projects) AND version <> ? AND lock < ? AND ended_at IS NULL
        AND beat_at > clock_timestamp() - interval '${SILENT_SECONDS} seconds' LIMIT 1`,
    values: [project, version, lock],
  });
  return row;
}

/** First key of the two-part advisory locks of workers. */
export const WORKER_LOCKS = 47_230;

/**
 * Declares workers dead and returns their ids. A lock counts as free only from when it was first seen free after the server
 * started: a restart of the server frees all locks, and workers need a moment to take theirs again.
 */
export async function reapWorkers(session: Session, own: string): Promise<string[]> {
  await session.query({
    text: `UPDATE guardkit_queue.worker w SET free_at = CASE WHEN held.key IS NULL THEN coalesce(w.free_at, clock_timestamp()) END
      FROM guardkit_queue.worker o
      LEFT JOIN (SELECT objid::bigint AS key FROM pg_locks
        WHERE locktype = 'advisory' AND classid = ${WORKER_LOCKS} AND granted
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) held ON held.key = o.lock
      WHERE o.id = w.id AND w.ended_at IS NULL
        AND (w.free_at IS NULL) = (held.key IS NULL)`,
    values: [],
  });
  const rows = await session.query<{ id: string }>({
    text: `UPDATE guardkit_queue.worker
      SET ended_at = now(), why = CASE WHEN free_at IS NULL THEN '${SILENT}' ELSE '${CLOSED}' END
      WHERE ended_at IS NULL AND id <> ? AND (
        (greatest(free_at, pg_postmaster_start_time()) < clock_timestamp() - interval '${FREE_SECONDS} seconds'
          AND free_at IS NOT NULL)
        OR greatest(beat_at, pg_postmaster_start_time()) < clock_timestamp() - interval '${SILENT_SECONDS} seconds')
      RETURNING id`,
    values: [own],
  });
  return rows.map(({ id }) => id);
}

/** PostgreSQL keeps 63 bytes of the name; the end of an id is what makes it unique. */
const NAME = { prefix: 'guardkit ', characters: 50 };

/** The address for all sessions of a worker, by which others recognize them. */
export function addressOf(url: string, worker: string): string {
  const name = encodeURIComponent(`${NAME.prefix}${worker.slice(-NAME.characters)}`);
  return `${url}${url.includes('?') ? '&' : '?'}application_name=${name}`;
}

/**
 * Ends sessions of workers that were declared dead: one that hangs in a transaction would hold up all others. The dead are
 * looked up once, not for each session: heartbeats leave many old versions of rows while somebody waits for a lock.
 */
export async function endSessionsOfDead(session: Session): Promise<void> {
  await session.query({
    text: `WITH dead AS MATERIALIZED (
        SELECT '${NAME.prefix}' || right(id, ${NAME.characters}) AS name FROM guardkit_queue.worker
        WHERE ended_at > now() - interval '1 day' AND why IN ('${SILENT}', '${CLOSED}'))
      SELECT pg_terminate_backend(a.pid) FROM dead JOIN pg_stat_activity a ON a.application_name = dead.name
      WHERE a.datname = current_database()`,
    values: [],
  });
}
