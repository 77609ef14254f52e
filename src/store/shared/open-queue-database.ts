import { GuardKitError } from '../../guardkit-error.ts';
import { PostgresDatabase, type Session } from '../postgres/postgres-database.ts';
import { sqlState } from '../postgres/postgres-error.ts';
import { readServerAddress } from '../postgres/server-address.ts';
import { noServer, notInitialized } from './queue-error.ts';
import { QUEUE_MIGRATIONS } from './queue-schema.ts';

/** Different from the locks of the episode store. */
const MIGRATION_LOCK = 47_230_001;

/** Opens the database of the queue; refuses one without a queue, or with another version's. */
export async function openQueueDatabase(url: string | undefined): Promise<PostgresDatabase> {
  if (url === undefined) throw noServer();
  const database = new PostgresDatabase(readServerAddress(url));
  try {
    requireVersion(await readVersion(database), database.location);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Creates or upgrades the tables of the queue. Returns whether anything changed. */
export async function migrateQueue(url: string | undefined): Promise<boolean> {
  if (url === undefined) throw noServer();
  const database = new PostgresDatabase(readServerAddress(url));
  try {
    return await database.transaction(async (session) => {
      await session.query({ text: 'SELECT pg_advisory_xact_lock(?)', values: [MIGRATION_LOCK] });
      const version = await prepareSchema(session);
      if (version > QUEUE_MIGRATIONS.length) throw newer(version, database.location);
      if (version === QUEUE_MIGRATIONS.length) return false;
      for (const text of QUEUE_MIGRATIONS.slice(version)) await session.query({ text, values: [] });
      await session.query({
        text: 'UPDATE guardkit_queue.schema_version SET version = ?',
        values: [QUEUE_MIGRATIONS.length],
      });
      return true;
    });
  } finally {
    await database.close();
  }
}

async function prepareSchema(session: Session): Promise<number> {
  const [found] = await session.query<{ versioned: boolean }>({
    text: "SELECT to_regclass('guardkit_queue.schema_version') IS NOT NULL AS versioned",
    values: [],
  });
  if (found?.versioned) {
    const [row] = await session.query<{ version: number }>({
      text: 'SELECT version FROM guardkit_queue.schema_version',
      values: [],
    });
    return row?.version ?? 0;
  }
  await session.query({
    text: `CREATE SCHEMA IF NOT EXISTS guardkit_queue;
      CREATE TABLE guardkit_queue.schema_version (version integer NOT NULL);
      INSERT INTO guardkit_queue.schema_version VALUES (0)`,
    values: [],
  });
  return 0;
}

async function readVersion(database: PostgresDatabase): Promise<number> {
  try {
    const [row] = await database.query<{ version: number }>({
      text: 'SELECT version FROM guardkit_queue.schema_version',
      values: [],
    });
    return row?.version ?? 0;
  } catch (error) {
    if (error instanceof GuardKitError && sqlState(error.cause) === '42P01')
      throw notInitialized(database.location);
    throw error;
  }
}

function requireVersion(version: number, location: string): void {
  if (version > QUEUE_MIGRATIONS.length) throw newer(version, location);
  if (version === QUEUE_MIGRATIONS.length) return;
  throw new GuardKitError({
    code: 'queue.old-schema',
    kind: 'outside',
    message: `The queue in ${location} has schema version ${version}; this guardkit needs ${QUEUE_MIGRATIONS.length}.`,
    hint: 'Run `guardkit queue init` once with this version, after all workers have stopped.',
  });
}

function newer(version: number, location: string): GuardKitError {
  return new GuardKitError({
    code: 'queue.newer-schema',
    kind: 'outside',
    message: `The queue in ${location} has schema version ${version}; this guardkit supports versions up to ${QUEUE_MIGRATIONS.length}.`,
    hint: 'A newer guardkit upgraded it: upgrade this one. Nothing was changed.',
  });
}
