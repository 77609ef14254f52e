import pg from 'pg';
import type { PostgresDatabase } from '../postgres/postgres-database.ts';
import { postgresError } from '../postgres/postgres-error.ts';

/** First key of the two-part advisory locks, one for each project. */
const PROJECT_LOCKS = 47_231;

/**
 * Runs work while no other worker completes a feature of the project; those who wait get their turn in order. The lock saves
 * verifying what is outdated; that the tip did not move is checked when the result is recorded. Undefined if a signal ended
 * the wait.
 */
export async function withProjectLock<Result>(
  { url, database }: { url: string; database: PostgresDatabase },
  project: string,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  const client = new pg.Client({ connectionString: url, keepAlive: true, connectionTimeoutMillis: 5000 });
  // A broken connection frees the lock; the work goes on, and its result is checked when it is recorded.
  client.on('error', () => {});
  try {
    await client.connect();
    if (!(await waitForLock(client, project, signal))) {
      await client.end().catch(() => undefined);
      return undefined;
    }
  } catch (error) {
    await client.end().catch(() => undefined);
    throw postgresError(error, database.location);
  }
  try {
    return await work();
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function waitForLock(client: pg.Client, project: string, signal: AbortSignal): Promise<boolean> {
  const locked = client
    .query('SELECT pg_advisory_lock($1, hashtext($2))', [PROJECT_LOCKS, project])
    .then(() => true);
  let stop = () => {};
  const stopped = new Promise<boolean>((settle) => {
    stop = () => settle(false);
  });
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop);
  try {
    return await Promise.race([locked, stopped]);
  } finally {
    signal.removeEventListener('abort', stop);
    // Ending the connection ends the wait.
    locked.catch(() => undefined);
  }
}
