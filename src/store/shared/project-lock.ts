import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { PostgresDatabase } from '../postgres/postgres-database.ts';
import { postgresError } from '../postgres/postgres-error.ts';

/** First key of the two-part advisory locks, one for each project. */
const PROJECT_LOCKS = 47_231;
const TRY_AGAIN_MS = 150;

/**
 * Runs work while no other worker completes a feature of the project. The lock saves verifying what is outdated; that the
 * tip did not move is checked when the result is recorded. Undefined if a signal ended the wait.
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
    while (!(await isLocked(client, project))) {
      if (signal.aborted) return undefined;
      await sleep(TRY_AGAIN_MS);
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

async function isLocked(client: pg.Client, project: string): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    'SELECT pg_try_advisory_lock($1, hashtext($2)) AS locked',
    [PROJECT_LOCKS, project],
  );
  return rows[0]?.locked === true;
}
