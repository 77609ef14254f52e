import type { Database } from '../sqlite/open-database.ts';
import type { LedgerSignatures } from './signing/ledger-signatures.ts';

/** The open file that the ledger and its outbox share. */
export interface LedgerFile {
  readonly path: string;
  /** Created with the file. */
  readonly id: string;
  readonly database: Database;
  readonly signatures: LedgerSignatures;
  /** Runs work on the database and converts its errors for people. */
  attempt<Result>(work: () => Result): Result;
}
