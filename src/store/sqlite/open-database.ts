import { randomUUID } from 'node:crypto';
import { closeSync, linkSync, openSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { GuardKitError } from '../../guardkit-error.ts';
import { makeFolder } from '../../platform/files/make-folder.ts';
import { type Database, openSqlite } from '../../platform/open-sqlite.ts';
import { databaseError } from './database-error.ts';
import { keepStatements } from './statements.ts';

export type { Database } from '../../platform/open-sqlite.ts';

/** A kind of database file: its owner and its migrations. */
export interface DatabaseKind {
  /** For messages: "episode store", "ledger". */
  label: string;
  applicationId: number;
  /** Each runs once, in order; their number is the schema version. */
  migrations: readonly string[];
  synchronous: 'NORMAL' | 'FULL';
}

/** Long enough for a queue of eight writers, short enough to notice a stuck one. */
const BUSY_TIMEOUT_MS = 10_000;

const CACHE_KIB = 16 * 1024;

/** Opens or creates a database file of the given kind and migrates its schema; refuses any other file. */
export function openDatabase(path: string, kind: DatabaseKind, busyTimeoutMs = BUSY_TIMEOUT_MS): Database {
  let database: Database | undefined;
  try {
    const file = statSync(path, { throwIfNoEntry: false });
    if (file?.isDirectory()) throw Object.assign(new Error('a folder'), { code: 'EISDIR' });
    if (!file) createFile(path, kind);
    // An empty file was prepared for us.
    if (file?.size !== 0) assertKind(path, kind, busyTimeoutMs);
    database = openSqlite(path, { timeout: busyTimeoutMs });
    prepare(database, path, kind);
    return keepStatements(database);
  } catch (error) {
    database?.close();
    throw databaseError(error, path, kind.label);
  }
}

/**
 * Creates the file under a temporary name and renames it when complete, unless another process was faster. So a file
 * of this name is either ours and complete, or foreign, and its first bytes show which.
 */
function createFile(path: string, kind: DatabaseKind): void {
  makeFolder(dirname(path), 0o700);
  const temporary = join(dirname(path), `.${basename(path)}.${randomUUID()}.tmp`);
  try {
    // SQLite would create it readable for others for a moment.
    closeSync(openSync(temporary, 'wx', 0o600));
    const database = openSqlite(temporary);
    try {
      prepare(database, path, kind);
    } finally {
      database.close();
    }
    linkSync(temporary, path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${temporary}${suffix}`, { force: true });
  }
}

/**
 * Through a read-only connection, which does not change a foreign file. Reading the bytes is not safe: closing a file
 * releases the locks of every connection that this process has to it.
 */
function assertKind(path: string, kind: DatabaseKind, busyTimeoutMs: number): void {
  const database = openSqlite(path, { readonly: true, timeout: busyTimeoutMs });
  try {
    if (pragmaNumber(database, 'application_id') === kind.applicationId) return;
  } finally {
    database.close();
  }
  throw new GuardKitError({
    code: 'store.foreign',
    kind: 'outside',
    message: `${path} belongs to another program; it is not a GuardKit ${kind.label}.`,
    hint: 'Move that file elsewhere, or set GUARDKIT_HOME to another folder. The file was not changed.',
  });
}

function prepare(database: Database, path: string, kind: DatabaseKind): void {
  const version = pragmaNumber(database, 'user_version');
  assertNotNewer(version, path, kind);
  // Before switching to WAL: a new file gets its tables directly, not in a log that a full disk would cut off.
  if (version < kind.migrations.length) migrate(database, path, kind);
  // One call, since each takes time. The cache is small: reading the rest from the file costs less than filling a
  // larger cache.
  database.exec(
    `PRAGMA foreign_keys = ON; PRAGMA journal_mode = WAL; PRAGMA synchronous = ${kind.synchronous}; PRAGMA cache_size = -${CACHE_KIB}`,
  );
}

/** Immediate, with the version read again inside: two processes may migrate the same file. */
function migrate(database: Database, path: string, kind: DatabaseKind): void {
  // Not possible inside a transaction. If it were on, recreating a table would delete every row that refers to it.
  database.pragma('foreign_keys = OFF');
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

function pragmaNumber(database: Database, name: string): number {
  return Number(database.pragma(name, { simple: true }));
}

function assertNotNewer(version: number, path: string, kind: DatabaseKind): void {
  if (version <= kind.migrations.length) return;
  throw new GuardKitError({
    code: 'store.newer-schema',
    kind: 'outside',
    message:
      `The ${kind.label} ${path} has schema version ${version}; ` +
      `this guardkit supports versions up to ${kind.migrations.length}.`,
    hint: 'A newer guardkit wrote it: upgrade this one. The file was not changed.',
  });
}
