import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isNumber, isShape, isText } from '../../domain/json/plain-shape.ts';
import { openSqlite } from '../../platform/open-sqlite.ts';
import type { SeenSession } from './seen-sessions.ts';

const isRow = isShape({ id: isText, directory: isText, time_created: isNumber });

const MAX_ROWS = 500;

/** Sessions of OpenCode since a moment, from its own database. */
export function opencodeSessions(env: NodeJS.ProcessEnv, since: number): SeenSession[] {
  const data = env.XDG_DATA_HOME || join(env.HOME ?? homedir(), '.local/share');
  const path = join(data, 'opencode', 'opencode.db');
  if (!existsSync(path)) return [];
  try {
    const database = openSqlite(path, { readonly: true, fileMustExist: true, timeout: 500 });
    try {
      return database
        .prepare(
          `SELECT id, directory, time_created FROM session
           WHERE parent_id IS NULL AND time_updated >= ? ORDER BY time_created DESC LIMIT ${MAX_ROWS}`,
        )
        .all(since)
        .filter(isRow)
        .map(({ id, directory, time_created }) => ({ session: id, folder: directory, began: time_created }));
    } finally {
      database.close();
    }
  } catch {
    // Safe: a database of another version, or in use, shows no sessions.
    return [];
  }
}
