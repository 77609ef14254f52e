import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { makeFolder } from '../files/make-folder.ts';

/** Held until it is released or the process ends, however it ends. */
export interface ProcessLock {
  release(): void;
}

/**
 * Takes a lock if nobody holds it. It is SQLite's own file lock, which the system takes back when a process is killed:
 * a file with a process id in it would have to be judged stale by guessing.
 */
export function tryLock(path: string): ProcessLock | undefined {
  makeFolder(dirname(path), 0o700);
  const database = new Database(path, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) return undefined;
    throw error;
  }
  return { release: () => database.close() };
}
