import { randomUUID } from 'node:crypto';
import { closeSync, linkSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import BetterSqlite3, { type Database } from 'better-sqlite3';
import { GuardKitError } from '../../guardkit-error.ts';
import { makeFolder } from '../../platform/files/make-folder.ts';
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

const CACHE_KIB = 16 * 1024;

const HEADER_BYTES = 100;
const MAGIC = 'SQLite format 3\0';
const APPLICATION_ID_OFFSET = 68;

/** Opens or makes a database file of the given kind, brings its schema up to date and refuses anything else. */
export function openDatabase(path: string, kind: DatabaseKind, busyTimeoutMs = BUSY_TIMEOUT_MS): Database {
  let database: Database | undefined;
  try {
    const file = statSync(path, { throwIfNoEntry: false });
    if (!file) createFile(path, kind);
    // An empty file is one that somebody made ready for us.
    if (file?.size !== 0) assertKind(path, kind);
    database = new BetterSqlite3(path, { timeout: busyTimeoutMs });
    prepare(database, path, kind);
    return database;
  } catch (error) {
    database?.close();
    throw databaseError(error, path, kind.label);
  }
}

/**
 * Makes the file under another name and gives it its own when it is whole, if nobody was faster. A file of this name
 * is therefore ours and complete, or somebody else's, and its first bytes tell which.
 */
function createFile(path: string, kind: DatabaseKind): void {
  makeFolder(dirname(path), 0o700);
  const temporary = join(dirname(path), `.${basename(path)}.${randomUUID()}.tmp`);
  try {
    // SQLite itself would make it readable for others, if only for a moment.
    closeSync(openSync(temporary, 'wx', 0o600));
    const database = new BetterSqlite3(temporary);
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

/** Looks at the bytes, since SQLite would tidy up a foreign file that it opens. */
function assertKind(path: string, kind: DatabaseKind): void {
  const header = readHeader(path);
  if (header.length === HEADER_BYTES && header.toString('latin1', 0, MAGIC.length) === MAGIC) {
    if (header.readUInt32BE(APPLICATION_ID_OFFSET) === kind.applicationId) return;
    throw new GuardKitError({
      code: 'store.foreign',
      kind: 'outside',
      message: `${path} is a database of another program, not a GuardKit ${kind.label}.`,
      hint: 'Move that file away or point GUARDKIT_HOME at another folder. The file was not changed.',
    });
  }
  throw Object.assign(new Error('no SQLite header'), { code: 'SQLITE_NOTADB' });
}

function readHeader(path: string): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  const descriptor = openSync(path, 'r');
  try {
    return header.subarray(0, readSync(descriptor, header, 0, HEADER_BYTES, 0));
  } finally {
    closeSync(descriptor);
  }
}

function prepare(database: Database, path: string, kind: DatabaseKind): void {
  const version = pragmaNumber(database, 'user_version');
  assertNotNewer(version, path, kind);
  // Before the journal mode: a new file gets its tables itself, not a log of them that a full disk would cut off.
  if (version < kind.migrations.length) migrate(database, path, kind);
  // In one go, since each takes its time. Of the cache: what does not fit is read from the file each time, which costs less
  // than to fill a larger one.
  database.exec(
    `PRAGMA foreign_keys = ON; PRAGMA journal_mode = WAL; PRAGMA synchronous = ${kind.synchronous}; PRAGMA cache_size = -${CACHE_KIB}`,
  );
}

/** Immediate, and the version read again inside: two processes may bring the same file up to date. */
function migrate(database: Database, path: string, kind: DatabaseKind): void {
  // Cannot be said inside a transaction. On, a table that is made anew would take along every row that refers to it.
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
      `this guardkit knows versions up to ${kind.migrations.length}.`,
    hint: 'A newer guardkit wrote it: upgrade this one. The file was not changed.',
  });
}
