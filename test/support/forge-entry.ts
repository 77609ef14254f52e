import { openSqlite } from '../../src/platform/open-sqlite.ts';
import { entryHash } from '../../src/store/ledger/chain/entry-hash.ts';
import { CHAIN_START, type ChainHead, type EntryRow } from '../../src/store/ledger/chain/ledger-entry.ts';

/** Appends a well-formed entry with the right hash, as a program of the same user could that does not have the key. */
export function forgeEntry(path: string, project: string, kind: string, body: unknown): ChainHead {
  const database = openSqlite(path);
  try {
    const ledger = String(database.prepare('SELECT id FROM ledger').pluck().get());
    const head = (database.prepare('SELECT number, hash FROM heads WHERE project = ?').get(project) ??
      CHAIN_START) as ChainHead;
    const entry = {
      project,
      number: head.number + 1,
      kind,
      at: Date.now(),
      body: JSON.stringify(body),
      prev_hash: head.hash,
    };
    const hash = entryHash(ledger, entry);
    database
      .prepare(
        `INSERT INTO entries (project, number, kind, at, body, prev_hash, hash)
         VALUES (@project, @number, @kind, @at, @body, @prev_hash, @hash)`,
      )
      .run({ ...entry, hash });
    database
      .prepare(
        `INSERT INTO heads (project, number, hash) VALUES (@project, @number, @hash)
         ON CONFLICT (project) DO UPDATE SET number = excluded.number, hash = excluded.hash`,
      )
      .run({ project, number: entry.number, hash });
    return { number: entry.number, hash };
  } finally {
    database.close();
  }
}

/** Runs SQL on the ledger, with its triggers removed. */
export function writeLedger(path: string, ...statements: string[]): void {
  const database = openSqlite(path);
  try {
    const triggers = database.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'").pluck().all();
    for (const name of triggers) database.exec(`DROP TRIGGER "${String(name)}"`);
    for (const statement of statements) database.exec(statement);
  } finally {
    database.close();
  }
}

/** Removes an entry and chains the rest anew, as an attacker with a database client would. */
export function removeEntry(path: string, project: string, number: number): void {
  writeLedger(path);
  const database = openSqlite(path);
  try {
    const ledger = String(database.prepare('SELECT id FROM ledger').pluck().get());
    const rows = database
      .prepare('SELECT * FROM entries WHERE project = ? AND number <> ? ORDER BY number')
      .all(project, number) as EntryRow[];
    database.prepare('DELETE FROM entries WHERE project = ?').run(project);
    const put = database.prepare(
      `INSERT INTO entries (project, number, kind, at, body, prev_hash, hash)
       VALUES (@project, @number, @kind, @at, @body, @prev_hash, @hash)`,
    );
    let last = CHAIN_START;
    for (const { kind, at, body } of rows) {
      const entry = { project, number: last.number + 1, kind, at, body, prev_hash: last.hash };
      last = { number: entry.number, hash: entryHash(ledger, entry) };
      put.run({ ...entry, hash: last.hash });
    }
    database
      .prepare('UPDATE heads SET number = @number, hash = @hash WHERE project = @project')
      .run({ ...last, project });
  } finally {
    database.close();
  }
}
