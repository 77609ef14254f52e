import type { Database, Statement } from '../../platform/open-sqlite.ts';

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

/** A connection prepares each text once. */
export function keepStatements(database: Database): Database {
  const kept = new Map<string, Statement>();
  const prepare = database.prepare.bind(database);
  database.prepare = ((sql: string) => {
    let statement = kept.get(sql);
    if (!statement) {
      if (kept.size >= LIMIT) kept.clear();
      statement = shareable(() => prepare(sql));
      kept.set(sql, statement);
    }
    return statement;
  }) as Database['prepare'];
  return database;
}

/** The form of its rows is part of a statement, and one that is stepped through cannot run again: both get their own. */
function shareable(prepare: () => Statement): Statement {
  const statement = prepare();
  let plucked: Statement | undefined;
  let raw: Statement | undefined;
  statement.pluck = () => (plucked ??= prepare().pluck());
  statement.raw = () => (raw ??= prepare().raw());
  statement.iterate = (...values: unknown[]) => prepare().iterate(...values);
  return statement;
}

/** Creates a value once per connection. Prepared statements stay valid as long as it is open. */
export function perDatabase<Made>(make: (database: Database) => Made): (database: Database) => Made {
  const known = new WeakMap<Database, { made: Made }>();
  return (database) => {
    const found = known.get(database) ?? { made: make(database) };
    known.set(database, found);
    return found.made;
  };
}

/** Changes when another connection has written. */
export function dataVersion(database: Database): unknown {
  return database.prepare('PRAGMA data_version').pluck().get();
}

/** A transaction that nobody else writes in. `database.transaction()` does the same, and makes four functions each time. */
export function immediately<Result>(database: Database, work: () => Result): Result {
  return transaction(database, 'BEGIN IMMEDIATE', work);
}

/** A transaction that only reads: each read outside of one takes and releases a lock. */
export function inOneState<Result>(database: Database, work: () => Result): Result {
  return transaction(database, 'BEGIN', work);
}

function transaction<Result>(database: Database, begin: string, work: () => Result): Result {
  database.prepare(begin).run();
  try {
    const result = work();
    database.prepare('COMMIT').run();
    return result;
  } finally {
    // SQLite itself ends it after some errors.
    if (database.inTransaction) database.prepare('ROLLBACK').run();
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
