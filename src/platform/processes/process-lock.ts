import { dirname } from 'node:path';
import { makeFolder } from '../files/make-folder.ts';
import { isSqliteError, openSqlite } from '../open-sqlite.ts';

/** Held until released or until the process ends, even if it is killed. */
export interface ProcessLock {
  release(): void;
}

/**
 * Takes a lock if it is free. Uses SQLite's file lock, which the system releases when a process is killed; a pid file could
 * only be judged stale by guessing.
 */
export function tryLock(path: string): ProcessLock | undefined {
  makeFolder(dirname(path), 0o700);
  const database = openSqlite(path, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (isSqliteError(error) && error.code.startsWith('SQLITE_BUSY')) return undefined;
    throw error;
  }
  return { release: () => database.close() };
}
