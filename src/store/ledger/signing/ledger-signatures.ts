import { dirname } from 'node:path';
import { GuardKitError } from '../../../guardkit-error.ts';
import { RecordKey } from '../../../platform/signing/record-key.ts';
import type { Database } from '../../sqlite/open-database.ts';
import { lazyStatements } from '../../sqlite/statements.ts';
import { entryHash } from '../chain/entry-hash.ts';
import type { EntryRow } from '../chain/ledger-entry.ts';
import { type RecordsMark, readMark, writeMark } from './records-mark.ts';
import { SIGNED_KINDS } from './signed-kinds.ts';

const MAX_KNOWN = 20_000;

/** Signs the records of a ledger and says which of them this machine signed. */
export class LedgerSignatures {
  readonly dataFolder: string;
  readonly #ledger: string;
  readonly #statements: ReturnType<typeof prepareStatements>;
  /** Hashes of entries whose signature was valid: checking takes longer than anything else that a read does. */
  readonly #known = new Set<string>();
  #key: RecordKey | undefined;
  /** A sandboxed command cannot read the key; it decides nothing. */
  isHidden = false;

  constructor(path: string, ledger: string, database: Database) {
    this.dataFolder = dirname(path);
    this.#ledger = ledger;
    this.#statements = prepareStatements(database);
  }

  get #signer(): RecordKey {
    this.#key ??= RecordKey.read(this.dataFolder);
    if (this.#key) return this.#key;
    throw new GuardKitError({
      code: 'key.gone',
      kind: 'refused',
      message: `The key in ${this.dataFolder} is missing: no record made by this machine can be checked or signed.`,
      hint: 'Restore it from a backup, or run `guardkit ledger adopt` in your own terminal to sign the records with a new key.',
    });
  }

  /** In the transaction that adds the entry. */
  sign({ project, number, hash }: Pick<EntryRow, 'project' | 'number' | 'hash'>): void {
    this.#statements.put.run({ project, number, signature: this.#signer.sign(hash) });
    this.#note(hash);
  }

  /** Whether an entry has an effect: it only describes something, or this machine signed exactly this content. */
  counts(row: EntryRow): boolean {
    return !SIGNED_KINDS.has(row.kind) || this.isSigned(row);
  }

  isSigned(row: EntryRow): boolean {
    if (this.isHidden) return true;
    if (entryHash(this.#ledger, row) !== row.hash) return false;
    if (this.#known.has(row.hash)) return true;
    const { project, number, hash } = row;
    const signature = this.#statements.signature.get({ project, number });
    if (typeof signature !== 'string' || !this.#signer.verifies(hash, signature)) return false;
    this.#note(hash);
    return true;
  }

  /** A keyed digest of a text, for what is read instead of the chain. */
  seal(text: string): string {
    return this.isHidden ? '' : this.#signer.seal(text);
  }

  isSealed(text: string, seal: string): boolean {
    return this.isHidden || this.#signer.isSealed(text, seal);
  }

  writeMark(mark: RecordsMark): void {
    writeMark(this.dataFolder, this.#signer, mark);
  }

  /** The mark from when this machine began to sign; undefined if another key signed it. */
  mark(): RecordsMark | undefined {
    return readMark(this.dataFolder, this.#signer);
  }

  #note(hash: string): void {
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    this.#known.add(hash);
  }
}

function prepareStatements(database: Database) {
  return lazyStatements({
    put: () =>
      database.prepare(
        `INSERT INTO signatures (project, number, signature) VALUES (@project, @number, @signature)
         ON CONFLICT (project, number) DO UPDATE SET signature = excluded.signature`,
      ),
    signature: () =>
      database
        .prepare('SELECT signature FROM signatures WHERE project = @project AND number = @number')
        .pluck(),
  });
}
