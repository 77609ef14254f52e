import { statSync } from 'node:fs';
import { GuardKitError } from '../../guardkit-error.ts';
import { databaseError } from '../sqlite/database-error.ts';
import { type Database, openDatabase } from '../sqlite/open-database.ts';
import type { LedgerFile } from './ledger-file.ts';
import { adoptEarlierRecords } from './signing/adopt-records.ts';
import { LedgerSignatures } from './signing/ledger-signatures.ts';
import { LEDGER_DATABASE } from './tables/ledger-schema.ts';

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
    const id = attempt(() => readId(database, path));
    const file = { path, id, database, attempt, signatures: new LedgerSignatures(path, id, database) };
    attempt(() => adoptEarlierRecords(file));
    return file;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** For callers that judge by the ledger's content: a new, empty ledger would let everything pass. */
export function openKnownLedgerFile(path: string): LedgerFile {
  const file = statSync(path, { throwIfNoEntry: false });
  if (!file || file.size === 0)
    throw new GuardKitError({
      code: 'ledger.gone',
      kind: 'refused',
      message: `The ledger ${path} is ${file ? 'empty' : 'missing'}: it has none of this project’s records.`,
      hint:
        'If it existed before, restore it from a backup. Otherwise run `guardkit init` in your own terminal, ' +
        'or `guardkit doctor --fix`: either creates a new one.',
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
    message: `Something other than guardkit changed the ledger ${path}: ${found}.`,
    hint: 'Restore it from a backup, or move it elsewhere: guardkit then creates a new ledger. Nothing was written.',
  });
}

/** Keeps the ledger open between events, as long as the same file is at its path. */
export class WarmLedgerFile {
  #kept: { file: LedgerFile; identity: string } | undefined;

  open(path: string): LedgerFile {
    const identity = identityOf(path);
    const kept = this.#kept;
    if (kept && identity !== undefined && kept.file.path === path && kept.identity === identity)
      return kept.file;
    this.close();
    const file = openKnownLedgerFile(path);
    // A file that was replaced in the meantime is opened again by the next event.
    if (identity !== undefined) this.#kept = { file, identity };
    return file;
  }

  /** Whether the file stays open after an event. */
  keeps(file: LedgerFile): boolean {
    return this.#kept?.file === file;
  }

  close(): void {
    this.#kept?.file.database.close();
    this.#kept = undefined;
  }
}

/** Undefined for a missing or empty file. */
function identityOf(path: string): string | undefined {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat && stat.size > 0n ? `${stat.dev} ${stat.ino}` : undefined;
}
