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

/** Makes each of them when it is first used: a process that lives for one answer uses few, and each takes its time. */
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
