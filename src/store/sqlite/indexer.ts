import type { EntityRegistry } from '../../domain/entities/entity-type.ts';
import { type EpisodeRow, searchText } from '../read-episode.ts';
import { analyzeDocument } from '../search/analyze.ts';
import { EPISODE_COLUMNS } from './list-query.ts';
import type { Database } from './open-database.ts';
import { isUnindexed, UNINDEXED_EDGES, UNINDEXED_FIELDS } from './version-fields.ts';
import type { WriteTransaction } from './write-transaction.ts';

interface PendingRow extends EpisodeRow {
  seq: number;
  group_id: number;
  head: string | null;
  text: string | null;
  indexed: number | null;
}

/** From this backlog on, writers update the index themselves, so that no search has to do it all. */
const MAX_PENDING = 500;
const LOOK_EVERY = 50;
/** Versions indexed between two turns of the event loop. */
const BATCH = 64;

/** The key of a term in the search tables: the group and the term. */
export function termKey(groupId: number, term: string): string {
  return `${groupId}=${term}`;
}

/** The key that every document of a group has. No term starts with this character. */
export function groupKey(groupId: number): string {
  return `@${groupId}`;
}

/**
 * Updates the indexes after the writes: indexes by value would make a write wait for many pages, and tokenizing a text
 * costs more than storing it. Reads include what is pending; searches index it first. The backlog is a table too, so a
 * killed process loses nothing.
 */
export class Indexer {
  readonly #database: Database;
  readonly #types: string;
  readonly #registry: EntityRegistry;
  readonly #transaction: WriteTransaction;
  readonly #isBehind;
  readonly #pending;
  readonly #count;
  readonly #enter;
  readonly #saveTerms;
  readonly #settle;
  readonly #tables;
  #scheduled: NodeJS.Immediate | undefined;
  #written = 0;

  constructor(database: Database, registry: EntityRegistry, transaction: WriteTransaction) {
    this.#database = database;
    this.#registry = registry;
    this.#transaction = transaction;
    // Only a program that has the entity type can produce its text.
    this.#types = JSON.stringify([...registry.keys()]);
    this.#isBehind = database
      .prepare<[], number>(`SELECT EXISTS (SELECT 1 FROM episode e WHERE ${isUnindexed('e.seq')})`)
      .pluck();
    this.#pending = database.prepare<[string, number], PendingRow>(
      `SELECT e.seq, e.group_id, t.head, t.text, t.indexed, ${EPISODE_COLUMNS} FROM search_pending p
       JOIN episode e ON e.seq = p.seq JOIN episode_group g ON g.id = e.group_id
       LEFT JOIN search_terms t ON t.seq = p.seq
       WHERE (t.seq IS NOT NULL OR e.entity_type IN (SELECT value FROM json_each(?))) ORDER BY p.seq LIMIT CAST(? AS INTEGER)`,
    );
    this.#count = database
      .prepare<[], number>(
        `SELECT (SELECT count(*) FROM search_pending) + (SELECT count(*) FROM episode e WHERE ${isUnindexed('e.seq')})`,
      )
      .pluck();
    this.#enter = [
      `INSERT OR IGNORE INTO field_value (group_id, field, value, seq) ${UNINDEXED_FIELDS}`,
      `INSERT OR IGNORE INTO declared_edge (seq, relation, from_scope, from_id, to_scope, to_id) ${UNINDEXED_EDGES}`,
      `INSERT OR IGNORE INTO search_pending (seq) SELECT e.seq FROM episode e WHERE ${isUnindexed('e.seq')}`,
      'UPDATE index_state SET entered = (SELECT max(seq) FROM episode)',
    ].map((sql) => database.prepare(sql));
    this.#saveTerms = database.prepare(
      `INSERT INTO search_terms (seq, head, text, indexed) VALUES (?, ?, ?, 1)
       ON CONFLICT (seq) DO UPDATE SET indexed = 1`,
    );
    this.#settle = database.prepare('DELETE FROM search_pending WHERE seq = ?');
    this.#tables = {
      current: prepareTable(database, 'search_current'),
      past: prepareTable(database, 'search_past'),
    };
  }

  /** Called after a write. Works later, unless the backlog is too long. */
  notify(): void {
    // Other processes write too, so the total backlog is checked now and then.
    this.#written = (this.#written + 1) % LOOK_EVERY;
    if (this.#written === 0 && (this.#count.get() ?? 0) >= MAX_PENDING) this.flush();
    else this.#scheduled ??= setImmediate(() => this.#workOn()).unref();
  }

  /** Brings all indexes up to date. */
  flush(): void {
    while (this.#step(MAX_PENDING) === MAX_PENDING);
  }

  /** Brings the indexes of fields and relations up to date. Inside a transaction. */
  enter(): void {
    if (!this.#isBehind.get()) return;
    for (const statement of this.#enter) statement.run();
  }

  /** Leaves as little pending as possible: this process may be the last writer for a long time. */
  stop(): void {
    clearImmediate(this.#scheduled);
    this.#scheduled = undefined;
    if (!this.#database.open) return;
    try {
      this.#database.pragma('busy_timeout = 0');
      if (this.#isBehind.get()) this.#transaction.run(() => this.enter());
    } catch {
      // Safe: reads include what is pending.
    }
  }

  #workOn(): void {
    this.#scheduled = undefined;
    try {
      if (this.#step(BATCH) === BATCH) this.#scheduled = setImmediate(() => this.#workOn()).unref();
    } catch {
      // Safe: the next search or write continues, or reports the error.
    }
  }

  #step(limit: number): number {
    // Checked before taking the write lock: most searches find nothing to do.
    if (!this.#isBehind.get() && this.#pending.all(this.#types, 1).length === 0) return 0;
    return this.#transaction.run(() => {
      this.enter();
      const rows = this.#pending.all(this.#types, limit);
      for (const row of rows) this.#index(row);
      return rows.length;
    });
  }

  #index(row: PendingRow): void {
    const { head, text } =
      row.head !== null && row.text !== null ? { head: row.head, text: row.text } : this.#analyze(row);
    if (row.indexed === 1) {
      this.#tables.current.remove.run(row.seq);
      this.#tables.past.remove.run(row.seq);
    }
    this.#saveTerms.run(row.seq, head, text);
    const terms = new Set(`${head} ${text}`.split(' '));
    terms.delete('');
    const keys = [...terms].map((term) => termKey(row.group_id, term));
    const table = row.expired_at === null ? this.#tables.current : this.#tables.past;
    table.add.run(row.seq, `${groupKey(row.group_id)} ${keys.join(' ')}`);
    this.#settle.run(row.seq);
  }

  #analyze(row: PendingRow): { head: string; text: string } {
    const { head, text } = analyzeDocument(`${row.entity_id} ${row.name}`, searchText(row, this.#registry));
    return { head: head.join(' '), text: text.join(' ') };
  }
}

function prepareTable(database: Database, table: string) {
  return {
    add: database.prepare(`INSERT INTO ${table} (rowid, keys) VALUES (?, ?)`),
    remove: database.prepare(`DELETE FROM ${table} WHERE rowid = ?`),
  };
}
