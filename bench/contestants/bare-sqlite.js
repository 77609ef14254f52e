import { join } from 'node:path';
import Database from 'better-sqlite3';

/** The lower bound for any store on SQLite at GuardKit's durability: one row, one index, no search. */
export async function open(folder) {
  const database = new Database(join(folder, 'bare.db'));
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = NORMAL');
  database.exec('CREATE TABLE turn (id TEXT PRIMARY KEY, body TEXT NOT NULL)');
  const insert = database.prepare('INSERT INTO turn VALUES (?, ?)');
  const select = database.prepare('SELECT body FROM turn WHERE id = ?').pluck();
  const write = ({ id, body }) => insert.run(id, JSON.stringify(body));

  return {
    fill: async (turns) => database.transaction(() => turns.forEach(write))(),
    upsert: async (turn) => write(turn),
    get: async ({ id }) => JSON.parse(select.get(id)).player_summary,
    close: async () => database.close(),
  };
}
