import type { Database } from './open-database.ts';

/**
 * Transactions that take the write lock at once, so that what they read first cannot change under them. Not those of
 * better-sqlite3, which makes its functions anew for each and so takes as long as a small write.
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
      // Some errors, a full disk among them, have ended it already.
      if (this.#database.inTransaction) this.#rollback.run();
      throw error;
    }
  }
}
