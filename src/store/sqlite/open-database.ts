import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { GuardKitError } from '../../guardkit-error.ts';
import { databaseError } from './database-error.ts';

export type { Database } from 'better-sqlite3';

/** What a kind of database file is: which program's, and how its tables came to be. */
export interface DatabaseKind {
  /** What a person calls it: "episode store", "ledger". */
  label: string;
  applicationId: number;
  /** Each runs once, in order; the number of those that ran is the schema version. */
  migrations: readonly string[];
  synchronous: 'NORMAL' | 'FULL';
}

/** Long enough for eight writers in a queue, short enough that a stuck one is noticed. */
const BUSY_TIMEOUT_MS = 10_000;

/** Opens or makes a database file of the given kind, brings its schema up to date and refuses anything else. */
export function openDatabase(
  path: string,
  kind: DatabaseKind,
  busyTimeoutMs = BUSY_TIMEOUT_MS,
): Database.Database {
  let database: Database.Database | undefined;
  try {
    const isNew = !existsSync(path);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    database = new Database(path, { timeout: busyTimeoutMs });
    if (isNew) chmodSync(path, 0o600);
    // Looked at before anything is written: a foreign file must stay as it is, its journal mode included.
    assertKind(database, path, kind);
    database.pragma('journal_mode = WAL');
    database.pragma(`synchronous = ${kind.synchronous}`);
    database.pragma('foreign_keys = ON');
    migrate(database, path, kind);
    return database;
  } catch (error) {
    database?.close();
    throw databaseError(error, path, kind.label);
  }
}

function pragmaNumber(database: Database.Database, name: string): number {
  return Number(database.pragma(name, { simple: true }));
}

function assertKind(database: Database.Database, path: string, kind: DatabaseKind): void {
  const applicationId = pragmaNumber(database, 'application_id');
  if (applicationId === kind.applicationId) {
    assertNotNewer(pragmaNumber(database, 'user_version'), path, kind);
    return;
  }
  const tables = database.prepare('SELECT count(*) FROM sqlite_schema').pluck().get();
  if (applicationId === 0 && tables === 0) return;
  throw new GuardKitError({
    code: 'store.foreign',
    kind: 'outside',
    message: `${path} is a database of another program, not a GuardKit ${kind.label}.`,
    hint: 'Move that file away or point GUARDKIT_HOME at another folder. The file was not changed.',
  });
}

function assertNotNewer(version: number, path: string, kind: DatabaseKind): void {
  if (version <= kind.migrations.length) return;
  throw new GuardKitError({
    code: 'store.newer-schema',
    kind: 'outside',
    message:
      `The ${kind.label} ${path} has schema version ${version}; ` +
      `this guardkit knows versions up to ${kind.migrations.length}.`,
    hint: 'A newer guardkit wrote it: upgrade this one. The file was not changed.',
  });
}

function migrate(database: Database.Database, path: string, kind: DatabaseKind): void {
  if (pragmaNumber(database, 'user_version') === kind.migrations.length) return;
  // Immediate, and the version read again inside: two processes may open a new file at the same moment.
  database
    .transaction(() => {
      const version = pragmaNumber(database, 'user_version');
      assertNotNewer(version, path, kind);
      for (const migration of kind.migrations.slice(version)) database.exec(migration);
      database.pragma(`application_id = ${kind.applicationId}`);
      database.pragma(`user_version = ${kind.migrations.length}`);
    })
    .immediate();
}
