import { existsSync, type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { openLedger } from '../../store/ledger/open-ledger.ts';

/** What a page needs to know of a new entry; it then reads what it shows again. */
export const ledgerEventSchema = z.strictObject({
  number: z.int(),
  kind: z.string(),
  /** ISO 8601. */
  at: z.string(),
  feature: z.string().nullable(),
  task: z.string().nullable(),
  turn: z.int().nullable(),
  step: z.string().nullable(),
});

export type LedgerEvent = z.infer<typeof ledgerEventSchema>;

const rowSchema = ledgerEventSchema.extend({ at: z.int() });

/** Entries after one number, up to another, the oldest first. Bodies are not parsed: most are not shown. */
function readEvents(ledger: Ledger, project: string, after: number, upTo: number): LedgerEvent[] {
  const { database, attempt } = ledger.file;
  const field = (name: string) => `iif(json_valid(body), body ->> '$.${name}', NULL)`;
  const rows = attempt(() =>
    database
      .prepare(
        `SELECT number, kind, at, ${field('feature_id')} AS feature, ${field('task_id')} AS task,
           ${field('turn_number')} AS turn, ${field('step')} AS step
         FROM entries WHERE project = ? AND number > ? AND number <= ? ORDER BY number`,
      )
      .all(project, after, upTo),
  );
  return rows.flatMap((raw) => {
    // An entry of a newer version may have other fields under these names.
    const row = rowSchema.safeParse(raw);
    return row.success ? [{ ...row.data, at: new Date(row.data.at).toISOString() }] : [];
  });
}

/** Entries of one action arrive together. */
const GATHER_MS = 80;
/** For file systems that report no changes; one query each. */
const POLL_MS = 10_000;

type Listener = (events: readonly LedgerEvent[]) => void;

interface Followed {
  listeners: Set<Listener>;
  /** The last entry that the listeners know. */
  number: number;
}

/** Tells listeners about new ledger entries. Without listeners it holds no file, no watch and no timer. */
export class LedgerWatch {
  readonly #dataFolder: string;
  readonly #projects = new Map<string, Followed>();
  #ledger: Ledger | undefined;
  #watcher: FSWatcher | undefined;
  #poll: NodeJS.Timeout | undefined;
  #gather: NodeJS.Timeout | undefined;

  constructor(dataFolder: string) {
    this.#dataFolder = dataFolder;
  }

  /** Returns the number of the last entry so far; the listener hears of every later one. */
  follow(project: string, listener: Listener): number {
    this.#start();
    // Known listeners hear first of what is new, so that all share one number.
    this.#look();
    const followed = this.#projects.get(project) ?? { listeners: new Set(), number: this.#head(project) };
    followed.listeners.add(listener);
    this.#projects.set(project, followed);
    return followed.number;
  }

  unfollow(project: string, listener: Listener): void {
    const followed = this.#projects.get(project);
    followed?.listeners.delete(listener);
    if (followed?.listeners.size === 0) this.#projects.delete(project);
    if (this.#projects.size === 0) this.close();
  }

  /** Entries after one number, up to another. */
  between(project: string, after: number, upTo: number): LedgerEvent[] {
    return this.#ledger ? readEvents(this.#ledger, project, after, upTo) : [];
  }

  close(): void {
    clearInterval(this.#poll);
    clearTimeout(this.#gather);
    this.#watcher?.close();
    this.#ledger?.close();
    this.#poll = undefined;
    this.#gather = undefined;
    this.#watcher = undefined;
    this.#ledger = undefined;
    this.#projects.clear();
  }

  #start(): void {
    if (this.#poll) return;
    this.#poll = setInterval(() => this.#look(), POLL_MS).unref();
    try {
      this.#watcher = watch(this.#dataFolder, { persistent: false }, (_, name) => {
        if (name?.startsWith('ledger.db')) this.#lookSoon();
      });
      this.#watcher.on('error', () => this.#watcher?.close());
    } catch {
      // Safe: the poll finds changes too, only later.
    }
  }

  #lookSoon(): void {
    this.#gather ??= setTimeout(() => {
      this.#gather = undefined;
      this.#look();
    }, GATHER_MS);
  }

  #look(): void {
    for (const [project, followed] of this.#projects) {
      const head = this.#head(project);
      if (head <= followed.number) continue;
      const events = this.between(project, followed.number, head);
      followed.number = head;
      for (const listener of followed.listeners) listener(events);
    }
  }

  #head(project: string): number {
    const path = join(this.#dataFolder, 'ledger.db');
    // Reading must not create a ledger.
    if (!this.#ledger && existsSync(path)) this.#ledger = openLedger({ path });
    return this.#ledger?.head(project)?.number ?? 0;
  }
}
