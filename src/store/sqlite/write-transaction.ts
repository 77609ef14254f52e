import type { Database } from './open-database.ts';

/**
 * Transactions that take the write lock at once, so that their reads stay valid. Not better-sqlite3's own, which
 * create functions for each transaction and take as long as a small write.
 */
export class WriteTransaction {
  readonly #database: Database;
  readonly #begin;
  readonly #commit;
  readonly #rollback;

  constructor(database: Database) {
    this.#database = database;
    this.#begin = database.prepare('BEGIN IMMEDIATE');
    this.#commit = database.prepare('COMMIT');
    this.#rollback = database.prepare('ROLLBACK');
  }

  run<Result>(work: () => Result): Result {
    this.#begin.run();
    try {
      const result = work();
      this.#commit.run();
      return result;
    } catch (error) {
      // Some errors, such as a full disk, have already ended it.
      if (this.#database.inTransaction) this.#rollback.run();
      throw error;
    }
  }
}
