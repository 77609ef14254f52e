import type { EntityRegistry } from '../../domain/entities/entity-type.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import type { Clock } from '../../platform/clock.ts';
import { lazyStatements, perDatabase } from '../sqlite/statements.ts';
import { ENTRY_COLUMNS, entryHash } from './chain/entry-hash.ts';
import { type EntryKindRegistry, requireEntryKind } from './chain/entry-kind.ts';
import {
  CHAIN_START,
  type ChainHead,
  entryRowSchema,
  type LedgerEntry,
  maybeChainHeadSchema,
  readEntry,
} from './chain/ledger-entry.ts';
import { assertProject, type PreparedEntry, prepareEntry } from './chain/prepare-entry.ts';
import { type ChainVerdict, verifyChain } from './chain/verify-chain.ts';
import { ClaimedEvent, type EventClaim } from './claimed-event.ts';
import type { LedgerFile } from './ledger-file.ts';
import { brokenLedger } from './open-ledger-file.ts';
import { Outbox } from './outbox/outbox.ts';
import { SharedEntries, type SharedWriter } from './shared-writer.ts';
import { SIGNED_KINDS } from './signing/signed-kinds.ts';
import { type LookupField, lookupNumbers } from './tables/chain-schema.ts';

export interface NewEntry {
  kind: string;
  body: unknown;
}

export interface EntriesOptions {
  kind?: string;
  afterNumber?: number;
  limit?: number;
}

export interface LookupOptions {
  kind: string;
  field: LookupField;
  value: string;
}

/** Getters for kinds and types are called on first use, so that they can be created late. */
export interface LedgerContext {
  readonly file: LedgerFile;
  readonly clock: Clock;
  readonly kinds: EntryKindRegistry;
  /** The types that derived episodes are checked against. */
  readonly entityTypes: EntityRegistry;
  /** Of a hook's event that another process may come to answer too. */
  readonly claim?: EventClaim | undefined;
  /** Set in a worker: entries of builds also go to the chain that the machines share. */
  readonly shared?: SharedWriter | undefined;
}

/** The record of events in order: one chain of entries per project, written by any number of processes. */
export class Ledger {
  readonly #parts: LedgerContext;
  readonly #file: LedgerFile;
  readonly #clock: Clock;
  readonly #statements: ReturnType<typeof prepareStatements>;
  #outbox: Outbox | undefined;
  readonly event: ClaimedEvent | undefined;
  readonly shared: SharedEntries | undefined;

  constructor(parts: LedgerContext) {
    this.#parts = parts;
    this.#file = parts.file;
    this.#clock = parts.clock;
    this.#statements = prepareStatements(parts.file.database);
    this.event = parts.claim && new ClaimedEvent(parts.file, parts.claim, parts.clock());
    this.shared = parts.shared && new SharedEntries(parts.shared, parts.file);
  }

  get kinds(): EntryKindRegistry {
    return this.#parts.kinds;
  }

  get outbox(): Outbox {
    this.#outbox ??= new Outbox(this.#file);
    return this.#outbox;
  }

  get id(): string {
    return this.#file.id;
  }

  get path(): string {
    return this.#file.path;
  }

  /** The open file, for the tables outside the chain. */
  get file(): LedgerFile {
    return this.#file;
  }

  append(project: string, kind: string, body: unknown): ChainHead {
    const [head] = this.appendMany(project, [{ kind, body }]);
    if (!head) throw new Error('appendMany returned no head for its entry');
    return head;
  }

  /**
   * Appends all entries or none, in order. `alongside` runs in the same transaction, so that other tables always agree
   * with the chain.
   */
  appendMany(
    project: string,
    entries: readonly NewEntry[],
    alongside: (heads: readonly ChainHead[]) => void = () => {},
  ): ChainHead[] {
    assertProject(project);
    const now = this.#clock();
    const prepared = entries.map(({ kind, body }) =>
      prepareEntry(project, requireEntryKind(this.kinds, kind), body, now, this.#parts.entityTypes),
    );
    if (prepared.length === 0) return [];
    const step = prepared.map(({ kind }) => kind).join(' ');
    const write = () => {
      const heads = this.#write(project, prepared);
      this.shared?.add(project, prepared, heads);
      alongside(heads);
      return heads;
    };
    const append = this.#file.database.transaction(() => {
      this.event?.requireOwn(now);
      const heads = this.event ? this.event.once(step, now, write) : write();
      this.shared?.flush('now');
      return heads;
    });
    return this.#file.attempt(() => append.immediate());
  }

  /** Adds entries of other machines, as they recorded them. In a transaction; they are not delivered to memory again. */
  adopt(project: string, entries: readonly { kind: string; body: unknown; at: number }[]): ChainHead[] {
    const now = this.#clock();
    return entries.flatMap(({ kind, body, at }) => {
      const known = requireEntryKind(this.kinds, kind);
      const { bodyJson } = prepareEntry(project, known, body, now, this.#parts.entityTypes);
      return this.#write(project, [{ kind, bodyJson, forStore: false }], at);
    });
  }

  // The time is read under the lock: a waiting writer records when it wrote, not when it started to wait.
  #write(project: string, prepared: readonly PreparedEntry[], at = this.#clock()): ChainHead[] {
    const { insertEntry, setHead } = this.#statements;
    let head = this.#verifiedHead(project);
    const heads = prepared.map(({ kind, bodyJson, forStore }) => {
      const entry = { project, number: head.number + 1, kind, at, body: bodyJson, prev_hash: head.hash };
      head = { number: entry.number, hash: entryHash(this.id, entry) };
      insertEntry.run({ ...entry, hash: head.hash });
      if (SIGNED_KINDS.has(kind)) this.#file.signatures.sign({ project, ...head });
      setHead.run({ project, ...head });
      if (forStore) this.outbox.add(project, head.number);
      return head;
    });
    return heads;
  }

  /** Refuses to continue a chain whose last entry was altered: new entries would hide the loss. */
  #verifiedHead(project: string): ChainHead {
    const head = this.#head(project) ?? CHAIN_START;
    const last = maybeChainHeadSchema.parse(this.#statements.lastEntry.get({ project })) ?? CHAIN_START;
    if (head.number === last.number && head.hash === last.hash) return head;
    throw brokenLedger(this.path, `the last entry of ${project} was altered`);
  }

  /** Those that count, oldest first. */
  entries(project: string, { kind, afterNumber = 0, limit }: EntriesOptions = {}): LedgerEntry[] {
    const { entries, entriesOfKind } = this.#statements;
    // SQLite treats a negative limit as none.
    const range = { project, after: afterNumber, limit: limit ?? -1 };
    const rows = this.#file.attempt(() =>
      kind === undefined ? entries.all(range) : entriesOfKind.all({ ...range, kind }),
    );
    return rows.flatMap((row) => this.#readCounting(row));
  }

  /** Entries of a kind that count and whose body has this value, newest first, each read on demand. */
  *lookup(project: string, { kind, field, value }: LookupOptions): Generator<LedgerEntry, void, undefined> {
    const rows = this.#file.attempt(() =>
      this.#file.database.prepare(lookupNumbers(field)).pluck().all({ project, kind, value }),
    );
    // By number: a connection cannot run another statement while it steps through one.
    for (const number of rows) {
      const row = this.#file.attempt(() => this.#statements.entry.get({ project, number }));
      yield* this.#readCounting(row);
    }
  }

  /** The position of an entry, whether it counts or not. */
  headAt(project: string, number: number): ChainHead | undefined {
    return this.#file.attempt(() =>
      maybeChainHeadSchema.parse(this.#statements.headAt.get({ project, number })),
    );
  }

  /** None if it is a record that this machine did not sign. */
  #readCounting(raw: unknown): LedgerEntry[] {
    const row = entryRowSchema.safeParse(raw);
    return row.success && !this.#file.signatures.counts(row.data) ? [] : [this.#read(raw)];
  }

  #read(raw: unknown): LedgerEntry {
    const row = entryRowSchema.safeParse(raw);
    const entry = row.success ? readEntry(row.data, this.kinds.get(row.data.kind)) : undefined;
    if (entry) return entry;
    const name = row.success ? `entry ${row.data.number} of ${row.data.project}` : 'an entry';
    throw new GuardKitError({
      code: 'ledger.unreadable-entry',
      kind: 'outside',
      message: `Unreadable entry in the ledger ${this.path}: ${name} does not match the schema of its kind.`,
      hint: 'A newer guardkit may have written it: upgrade this one. Otherwise verify the ledger and restore a backup.',
    });
  }

  head(project: string): ChainHead | undefined {
    return this.#file.attempt(() => this.#head(project));
  }

  #head(project: string): ChainHead | undefined {
    return maybeChainHeadSchema.parse(this.#statements.head.get({ project }));
  }

  projects(): string[] {
    return this.#file.attempt(() => this.#statements.projects.all().map(String));
  }

  verify(project: string): ChainVerdict {
    // One snapshot for the entries and the head, since others may append in the meantime.
    const walk = this.#file.database.transaction(() =>
      verifyChain(
        this.#statements.entries.iterate({ project, after: Number.MIN_SAFE_INTEGER, limit: -1 }),
        this.#head(project),
        this.id,
      ),
    );
    return this.#file.attempt(() => walk.deferred());
  }

  close(): void {
    this.#file.attempt(() => this.#file.database.close());
  }
}

const prepareStatements = perDatabase((database) =>
  lazyStatements({
    insertEntry: () =>
      database.prepare(
        `INSERT INTO entries (${ENTRY_COLUMNS}) VALUES (@project, @number, @kind, @at, @body, @prev_hash, @hash)`,
      ),
    setHead: () =>
      database.prepare(
        `INSERT INTO heads (project, number, hash) VALUES (@project, @number, @hash)
       ON CONFLICT (project) DO UPDATE SET number = excluded.number, hash = excluded.hash`,
      ),
    head: () => database.prepare('SELECT number, hash FROM heads WHERE project = @project'),
    headAt: () =>
      database.prepare('SELECT number, hash FROM entries WHERE project = @project AND number = @number'),
    lastEntry: () =>
      database.prepare(
        'SELECT number, hash FROM entries WHERE project = @project ORDER BY number DESC LIMIT 1',
      ),
    entries: () =>
      database.prepare(
        `SELECT ${ENTRY_COLUMNS} FROM entries WHERE project = @project AND number > @after ORDER BY number LIMIT @limit`,
      ),
    entriesOfKind: () =>
      database.prepare(
        `SELECT ${ENTRY_COLUMNS} FROM entries WHERE project = @project AND kind = @kind AND number > @after
       ORDER BY number LIMIT @limit`,
      ),
    entry: () =>
      database.prepare(`SELECT ${ENTRY_COLUMNS} FROM entries WHERE project = @project AND number = @number`),
    // From both tables: a project that lost its head must still be verified.
    projects: () =>
      database
        .prepare('SELECT project FROM heads UNION SELECT project FROM entries ORDER BY project')
        .pluck(),
  }),
);
