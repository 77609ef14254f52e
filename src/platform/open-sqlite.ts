import { createRequire } from 'node:module';
import BetterSqlite3, { type Database, type Options } from 'better-sqlite3';

export type { Database, Statement } from 'better-sqlite3';

type Library = typeof BetterSqlite3;

/** An optional dependency: npm leaves it out on versions of Node that it does not support. */
const NODE_API_BUILD = 'better-sqlite3-node-api';
const MIN_NODE_API = 10;

/**
 * Opens a database file with the SQLite library for this Node. Version 12 of better-sqlite3 aborts the process on Node 24.19 and
 * newer when V8 collects a statement; version 13 cannot run on Node before 22.14.
 */
export function openSqlite(path: string, options?: Options): Database {
  return new (library())(path, options);
}

export function isSqliteError(error: unknown): error is Error & { code: string } {
  return error instanceof library().SqliteError;
}

let loaded: Library | undefined;

function library(): Library {
  loaded ??=
    Number(process.versions.napi) >= MIN_NODE_API ? (nodeApiBuild() ?? BetterSqlite3) : BetterSqlite3;
  return loaded;
}

function nodeApiBuild(): Library | undefined {
  try {
    return createRequire(import.meta.url)(NODE_API_BUILD);
  } catch (error) {
    // Safe: installed without optional dependencies. Older versions of Node 24 can use the other one.
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
