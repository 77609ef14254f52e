import * as z from 'zod';
import { scrubSecrets } from '../../../domain/secrets/scrub-secrets.ts';
import { lazyStatements, perDatabase } from '../../sqlite/statements.ts';
import { ENTRY_COLUMNS } from '../chain/entry-hash.ts';
import type { LedgerFile } from '../ledger-file.ts';

export interface OutboxStatus {
  /** Entries still to be delivered. */
  pending: number;
  /** Entries that the store refused; they stay in the ledger and are not retried. */
  refused: number;
  /** When the oldest pending entry was recorded. */
  oldestAt?: string;
}

const refusedEntrySchema = z.strictObject({ project: z.string(), number: z.int(), reason: z.string() });

export type RefusedEntry = z.infer<typeof refusedEntrySchema>;

export interface PendingEntry {
  number: number;
  /** The stored entry, not parsed yet; undefined if it is gone. */
  row: unknown;
}

const countsSchema = z.strictObject({ pending: z.int(), refused: z.int() });
const MAX_REASON = 2000;

/** The entries that have not reached the episode store yet. Only pointers: deliveries are read from the ledger. */
export class Outbox {
  readonly #file: LedgerFile;
  readonly #statements: ReturnType<typeof prepareStatements>;

  constructor(file: LedgerFile) {
    this.#file = file;
    this.#statements = prepareStatements(file.database);
  }

  /** Called in the transaction that appends the entry. */
  add(project: string, number: number): void {
    this.#statements.add.run({ project, number });
  }

  status(): OutboxStatus {
    return this.#file.attempt(() => {
      const counts = countsSchema.parse(this.#statements.counts.get());
      const oldestAt = z.int().optional().parse(this.#statements.oldestAt.get());
      return oldestAt === undefined ? counts : { ...counts, oldestAt: new Date(oldestAt).toISOString() };
    });
  }

  /** Whether this project has undelivered entries. */
  isPending(project: string): boolean {
    return this.#file.attempt(() => this.#statements.next.get({ project }) !== undefined);
  }

  refusedEntries(): RefusedEntry[] {
    return this.#file.attempt(() => z.array(refusedEntrySchema).parse(this.#statements.refused.all()));
  }

  /** Projects with pending entries, longest waiting first. */
  pendingProjects(): string[] {
    return this.#file.attempt(() => this.#statements.projects.all().map(String));
  }

  next(project: string): PendingEntry | undefined {
    return this.#file.attempt(() => {
      const number = z.int().optional().parse(this.#statements.next.get({ project }));
      return number === undefined
        ? undefined
        : { number, row: this.#statements.entry.get({ project, number }) };
    });
  }

  /** The store has it from this delivery. */
  settle(project: string, number: number): void {
    this.#unsynced(() => this.#statements.settle.run({ project, number }));
  }

  /**
   * The store is past this number, so it has the entry, unless another process was refused and continued: such a row
   * stays.
   */
  settleUnlessRefused(project: string, number: number): void {
    this.#unsynced(() => this.#statements.settleUnlessRefused.run({ project, number }));
  }

  /** Not synced to disk: an entry whose settling a power cut undoes is delivered again and applied once. */
  #unsynced(settle: () => unknown): void {
    const { database } = this.#file;
    this.#file.attempt(() => {
      database.pragma('synchronous = NORMAL');
      try {
        settle();
      } finally {
        database.pragma('synchronous = FULL');
      }
    });
  }

  /** Undefined if another process has settled it in the meantime. */
  refuse(project: string, number: number, reason: string): RefusedEntry | undefined {
    const entry = { project, number, reason: scrubSecrets(reason).slice(0, MAX_REASON) };
    const { changes } = this.#file.attempt(() => this.#statements.refuse.run(entry));
    return changes === 0 ? undefined : entry;
  }
}

const prepareStatements = perDatabase((database) =>
  lazyStatements({
    add: () => database.prepare('INSERT INTO outbox (project, number) VALUES (@project, @number)'),
    counts: () =>
      database.prepare('SELECT count(*) - count(refused) AS pending, count(refused) AS refused FROM outbox'),
    oldestAt: () =>
      database
        .prepare(
          `SELECT entries.at FROM outbox JOIN entries USING (project, number)
         WHERE refused IS NULL ORDER BY outbox.id LIMIT 1`,
        )
        .pluck(),
    refused: () =>
      database.prepare(
        'SELECT project, number, refused AS reason FROM outbox WHERE refused IS NOT NULL ORDER BY id',
      ),
    projects: () =>
      database
        .prepare('SELECT project FROM outbox WHERE refused IS NULL GROUP BY project ORDER BY min(id)')
        .pluck(),
    next: () =>
      database
        .prepare(
          'SELECT number FROM outbox WHERE project = @project AND refused IS NULL ORDER BY number LIMIT 1',
        )
        .pluck(),
    entry: () =>
      database.prepare(`SELECT ${ENTRY_COLUMNS} FROM entries WHERE project = @project AND number = @number`),
    settle: () => database.prepare('DELETE FROM outbox WHERE project = @project AND number = @number'),
    settleUnlessRefused: () =>
      database.prepare(
        'DELETE FROM outbox WHERE project = @project AND number = @number AND refused IS NULL',
      ),
    refuse: () =>
      database.prepare(
        'UPDATE outbox SET refused = @reason WHERE project = @project AND number = @number AND refused IS NULL',
      ),
  }),
);
