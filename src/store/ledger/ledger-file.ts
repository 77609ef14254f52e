import { statSync } from 'node:fs';
import { GuardKitError } from '../../guardkit-error.ts';
import { databaseError } from '../sqlite/database-error.ts';
import { type Database, openDatabase } from '../sqlite/open-database.ts';
import { LEDGER_DATABASE } from './tables/ledger-schema.ts';

/** The open file that the ledger and its outbox share. */
export interface LedgerFile {
  readonly path: string;
  /** Made once, when the file was. */
  readonly id: string;
  readonly database: Database;
  /** Runs a piece of work on the database and says in people's words what went wrong with it. */
  attempt<Result>(work: () => Result): Result;
}

export function openLedgerFile(path: string, busyTimeoutMs?: number): LedgerFile {
  const database = openDatabase(path, LEDGER_DATABASE, busyTimeoutMs);
  const attempt = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      throw databaseError(error, path, LEDGER_DATABASE.label);
    }
  };
  try {
    return { path, id: attempt(() => readId(database, path)), database, attempt };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** For those who judge by what the ledger knows: one that is made anew knows nothing, and would let everything pass. */
export function openKnownLedgerFile(path: string): LedgerFile {
  const file = statSync(path, { throwIfNoEntry: false });
  if (!file || file.size === 0)
    throw new GuardKitError({
      code: 'ledger.gone',
      kind: 'refused',
      message: `The ledger ${path} is ${file ? 'empty' : 'not there'}, and with it what GuardKit knew of this project.`,
      hint:
        'If it was there before, restore it from a backup. Otherwise run `guardkit init` in a terminal of your own, ' +
        'or `guardkit doctor --fix`: either makes a new one.',
    });
  return openLedgerFile(path);
}

function readId(database: Database, path: string): string {
  const [id, ...more] = database.prepare('SELECT id FROM ledger').pluck().all();
  if (typeof id !== 'string' || id === '' || more.length > 0) throw brokenLedger(path, 'its id is missing');
  return id;
}

export function brokenLedger(path: string, found: string): GuardKitError {
  return new GuardKitError({
    code: 'ledger.broken',
    kind: 'outside',
    message: `The ledger ${path} was changed by something other than guardkit: ${found}.`,
    hint: 'Restore it from a backup, or move it away: guardkit starts a new ledger. Nothing was written.',
  });
}
