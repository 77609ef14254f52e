import { GuardKitError } from '../../guardkit-error.ts';
import type { PostgresDatabase, Session } from './postgres-database.ts';
import { sqlState } from './postgres-error.ts';
import { MIGRATIONS } from './schema.ts';
import { beginLocked } from './write-locks.ts';

const OLDEST_SERVER = 130_000;
/** Different from the locks for entities. */
const MIGRATION_LOCK = -1;

/** Migrates the schema; refuses one of another program or a newer guardkit. */
export async function migrate(database: PostgresDatabase): Promise<void> {
  if ((await readVersion(database)) === MIGRATIONS.length) return;
  // Locked, and checked again inside: several processes may open a new database at the same time.
  await database.transaction(
    async (session) => {
      const version = await prepareSchema(session, database.location);
      assertNotNewer(version, database.location);
      for (const migration of MIGRATIONS.slice(version)) await session.query({ text: migration, values: [] });
      await session.query({
        text: 'UPDATE guardkit.schema_version SET version = ?',
        values: [MIGRATIONS.length],
      });
    },
    beginLocked([MIGRATION_LOCK]),
  );
}

/** The schema version of a usable store; undefined if there is none yet. */
async function readVersion(database: PostgresDatabase): Promise<number | undefined> {
  try {
    const [row] = await database.query<{ version: number }>({
      text: 'SELECT version FROM guardkit.schema_version',
      values: [],
    });
    assertNotNewer(row?.version ?? 0, database.location);
    return row?.version;
  } catch (error) {
    if (error instanceof GuardKitError && sqlState(error.cause) === '42P01') return undefined;
    throw error;
  }
}

/** Creates the schema and its version table if missing, and returns how many migrations have run. */
async function prepareSchema(session: Session, location: string): Promise<number> {
  await assertServer(session, location);
  const [found] = await session.query<{ schema: boolean; versioned: boolean; tables: number }>({
    text: `SELECT to_regnamespace('guardkit') IS NOT NULL AS schema,
             to_regclass('guardkit.schema_version') IS NOT NULL AS versioned,
             (SELECT count(*) FROM pg_class WHERE relnamespace = to_regnamespace('guardkit')) AS tables`,
    values: [],
  });
  if (found?.versioned) {
    const [row] = await session.query<{ version: number }>({
      text: 'SELECT version FROM guardkit.schema_version',
      values: [],
    });
    return row?.version ?? 0;
  }
  if (found && found.tables > 0) throw foreign(location);
  // An administrator may have created it for a user without that permission.
  if (!found?.schema) await session.query({ text: 'CREATE SCHEMA guardkit', values: [] });
  await session.query({
    text: 'CREATE TABLE guardkit.schema_version (version integer NOT NULL); INSERT INTO guardkit.schema_version VALUES (0)',
    values: [],
  });
  return 0;
}

async function assertServer(session: Session, location: string): Promise<void> {
  const [server] = await session.query<{ version: number; shown: string; encoding: string }>({
    text: `SELECT current_setting('server_version_num')::integer AS version,
             current_setting('server_version') AS shown, current_setting('server_encoding') AS encoding`,
    values: [],
  });
  if (server && server.version < OLDEST_SERVER) {
    throw new GuardKitError({
      code: 'store.old-server',
      kind: 'outside',
      message: `The server ${location} is PostgreSQL ${server.shown}; guardkit needs 13 or newer.`,
      hint: 'Upgrade the server, or use another one.',
    });
  }
  if (server && server.encoding !== 'UTF8') {
    throw new GuardKitError({
      code: 'store.encoding',
      kind: 'outside',
      message: `The database ${location} uses the encoding ${server.encoding}, which cannot store all characters.`,
      hint: "Use a database created with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0.",
    });
  }
}

function assertNotNewer(version: number, location: string): void {
  if (version <= MIGRATIONS.length) return;
  throw new GuardKitError({
    code: 'store.newer-schema',
    kind: 'outside',
    message:
      `The episode store ${location} has schema version ${version}; ` +
      `this guardkit supports versions up to ${MIGRATIONS.length}.`,
    hint: 'A newer guardkit wrote it: upgrade this one. Nothing was changed.',
  });
}

function foreign(location: string): GuardKitError {
  return new GuardKitError({
    code: 'store.foreign',
    kind: 'outside',
    message: `The database ${location} has a schema "guardkit" that is not a GuardKit episode store.`,
    hint: 'Rename that schema, or use another database. Nothing was changed.',
  });
}
