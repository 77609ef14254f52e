import type { Statement } from 'better-sqlite3';
import type { Database } from './open-database.ts';

const LIMIT = 200;

/** Prepared statements by their text; preparing costs more than most of our queries. */
export class StatementCache {
  readonly #database: Database;
  readonly #statements = new Map<string, Statement>();

  constructor(database: Database) {
    this.#database = database;
  }

  get<Row>(sql: string): Statement<(string | number)[], Row> {
    let statement = this.#statements.get(sql);
    if (!statement) {
      // Filters may be combined in any number of ways; starting over is cheaper than keeping track of use.
      if (this.#statements.size >= LIMIT) this.#statements.clear();
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement as Statement<(string | number)[], Row>;
  }
  /** For a query of one number a row, given as the number itself. */
  keys(sql: string): Statement<(string | number)[], number> {
    return this.get<number>(sql).pluck();
  }
}
