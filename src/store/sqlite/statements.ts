import type { Statement } from 'better-sqlite3';
import type { Database } from './open-database.ts';

const LIMIT = 200;

/** Prepared statements by SQL; preparing costs more than most of our queries. */
export class StatementCache {
  readonly #database: Database;
  readonly #statements = new Map<string, Statement>();

  constructor(database: Database) {
    this.#database = database;
  }

  get<Row>(sql: string): Statement<(string | number)[], Row> {
    let statement = this.#statements.get(sql);
    if (!statement) {
      // Filters combine in any number of ways; clearing is cheaper than tracking use.
      if (this.#statements.size >= LIMIT) this.#statements.clear();
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement as Statement<(string | number)[], Row>;
  }
  /** For a query with one number per row; returns the numbers themselves. */
  keys(sql: string): Statement<(string | number)[], number> {
    return this.get<number>(sql).pluck();
  }
}

/** Prepares each statement on first use: a short-lived process uses few, and each takes time. */
export function lazyStatements<Statements extends Readonly<Record<string, unknown>>>(
  makers: {
    readonly [Name in keyof Statements]: () => Statements[Name];
  },
): Statements {
  const statements = {} as Statements;
  for (const name of Object.keys(makers) as (keyof Statements)[]) {
    Object.defineProperty(statements, name, {
      configurable: true,
      get: () => {
        const value = makers[name]();
        Object.defineProperty(statements, name, { value });
        return value;
      },
    });
  }
  return statements;
}
