import { lazyStatements, perDatabase } from '../sqlite/statements.ts';
import { CHAIN_START, type ChainHead, chainHeadSchema } from './chain/ledger-entry.ts';
import type { LedgerFile } from './ledger-file.ts';

/** An entry on its way to the shared chain. */
export interface SharedEntry {
  kind: string;
  /** JSON. */
  body: string;
}

/** Appends to the chain that several machines share. */
export interface SharedWriter {
  readonly project: string;
  /** Whether entries of this kind belong in the shared chain. */
  takes(kind: string): boolean;
  /**
   * Appends all entries or none, and returns the number of the first. Throws if the claim was lost or the server is away.
   * `head` is the last committed entry of this machine's own chain.
   */
  append(entries: readonly SharedEntry[], head: ChainHead): number;
}

interface Pending extends SharedEntry {
  number: number;
}

/**
 * The entries of a transaction that also go to the shared chain. They are appended there just before this machine's
 * transaction commits: what the server refuses is not recorded here either, and what a crash loses here is pulled again.
 */
export class SharedEntries {
  readonly #writer: SharedWriter;
  readonly #file: LedgerFile;
  #pending: Pending[] = [];
  #before: ChainHead | undefined;
  #isDeferred = false;

  constructor(writer: SharedWriter, file: LedgerFile) {
    this.#writer = writer;
    this.#file = file;
  }

  /** At the start of a transaction with several appends, which reach the server together. */
  defer(): void {
    this.#isDeferred = true;
  }

  /** In the transaction that added the entries here. */
  add(
    project: string,
    entries: readonly { kind: string; bodyJson: string }[],
    heads: readonly ChainHead[],
  ): void {
    const [first] = heads;
    if (project !== this.#writer.project || !first) return;
    this.#before ??= this.#headAt(project, first.number - 1);
    for (const [index, { kind, bodyJson }] of entries.entries())
      if (this.#writer.takes(kind))
        this.#pending.push({ kind, body: bodyJson, number: first.number + index });
  }

  #headAt(project: string, number: number): ChainHead {
    const row = statements(this.#file.database).headAt.get(project, number);
    return number === 0 ? CHAIN_START : chainHeadSchema.parse(row);
  }

  /** Just before the commit. An append within a larger transaction leaves it to the end of that one. */
  flush(when: 'now' | 'at the end'): void {
    if (when === 'now' && this.#isDeferred) return;
    const pending = this.#pending;
    const before = this.#before;
    this.drop();
    if (pending.length === 0 || !before) return;
    const entries = pending.map(({ kind, body }) => ({ kind, body }));
    const first = this.#writer.append(entries, before);
    for (const [index, { number }] of pending.entries())
      noteShared(this.#file, this.#writer.project, first + index, number);
  }

  /** After the transaction, whether it was committed or rolled back. */
  drop(): void {
    this.#pending = [];
    this.#before = undefined;
    this.#isDeferred = false;
  }
}

/** Notes which entry of this machine's chain is which entry of the shared one. In a transaction. */
export function noteShared({ database }: LedgerFile, project: string, shared: number, number: number): void {
  statements(database).note.run(project, shared, number);
}

/** Whether this machine has an entry of the shared chain. */
export function hasShared({ database }: LedgerFile, project: string, shared: number): boolean {
  return statements(database).has.get(project, shared) !== undefined;
}

/** The entries of the shared chain that this machine has, with their numbers here. */
export function sharedNumbers({ database, attempt }: LedgerFile, project: string): Map<number, number> {
  return new Map(attempt(() => statements(database).all.all(project)) as [number, number][]);
}

/** The number of the shared chain up to which this machine has pulled everything. */
export function pulledUpTo({ database, attempt }: LedgerFile, project: string): number {
  return Number(attempt(() => statements(database).pulled.get(project)) ?? 0);
}

/** In the transaction that added the entries. */
export function notePulled({ database }: LedgerFile, project: string, shared: number): void {
  statements(database).notePulled.run(project, shared);
}

/** The highest number of the shared chain that this machine has; 0 if none. */
export function lastShared({ database, attempt }: LedgerFile, project: string): number {
  return Number(attempt(() => statements(database).last.get(project)) ?? 0);
}

/** The shared chain that this machine has copied; undefined before the first time. */
export function copiedChain({ database, attempt }: LedgerFile, project: string): string | undefined {
  return attempt(() => statements(database).chain.get(project)) as string | undefined;
}

/** Notes which chain the numbers belong to; it stays until it is forgotten. */
export function noteChain({ database, attempt }: LedgerFile, project: string, chain: string): void {
  attempt(() => statements(database).noteChain.run(project, chain));
}

/** The entries stay, as this machine's own. In a transaction. */
export function forgetChain({ database }: LedgerFile, project: string): void {
  for (const table of ['shared_entries', 'shared_pulled', 'shared_chains'])
    database.prepare(`DELETE FROM ${table} WHERE project = ?`).run(project);
}

const statements = perDatabase((database) =>
  lazyStatements({
    headAt: () => database.prepare('SELECT number, hash FROM entries WHERE project = ? AND number = ?'),
    note: () => database.prepare('INSERT INTO shared_entries (project, shared, number) VALUES (?, ?, ?)'),
    has: () => database.prepare('SELECT 1 FROM shared_entries WHERE project = ? AND shared = ?').pluck(),
    all: () =>
      database.prepare('SELECT shared, number FROM shared_entries WHERE project = ? ORDER BY shared').raw(),
    last: () => database.prepare('SELECT max(shared) FROM shared_entries WHERE project = ?').pluck(),
    chain: () => database.prepare('SELECT chain FROM shared_chains WHERE project = ?').pluck(),
    noteChain: () =>
      database.prepare('INSERT INTO shared_chains (project, chain) VALUES (?, ?) ON CONFLICT DO NOTHING'),
    pulled: () => database.prepare('SELECT shared FROM shared_pulled WHERE project = ?').pluck(),
    notePulled: () =>
      database.prepare(
        `INSERT INTO shared_pulled (project, shared) VALUES (?, ?)
         ON CONFLICT (project) DO UPDATE SET shared = max(shared, excluded.shared)`,
      ),
  }),
);
