import * as z from 'zod';
import type { Ledger } from './ledger.ts';

/** Whose files: a project's checkout, or a place that no project has for itself. */
export interface AreaKey {
  project: string;
  checkout: string;
}

const watchedSchema = z.object({
  path: z.string(),
  stamp: z.string(),
  hash: z.string(),
  mode: z.int(),
});

export type WatchedRow = z.infer<typeof watchedSchema>;

const windowSchema = z.object({
  project: z.string(),
  checkout: z.string(),
  session: z.string(),
  action: z.string(),
  opened_at: z.int(),
  body: z.string(),
});

export type WindowRow = z.infer<typeof windowSchema>;

const sessionSchema = z.object({
  project: z.string(),
  session: z.string(),
  began_at: z.int(),
  seen_at: z.int(),
  body: z.string(),
});

export type SessionRow = z.infer<typeof sessionSchema>;

/** How the watched files, the windows and the sessions are: tables beside the chain. */
export class WatchTables {
  readonly #ledger: Ledger;
  readonly #statements: ReturnType<typeof prepareStatements>;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
    this.#statements = ledger.file.attempt(() => prepareStatements(ledger));
  }

  /**
   * Nobody else writes meanwhile. What these tables say need not outlast a power cut, with which every agent ends too, so
   * that nobody waits for the disk unless it is asked for: what happened is to be in the chain for good.
   */
  exclusively<Result>(work: () => Result, { lasting = false } = {}): Result {
    const { database, attempt } = this.#ledger.file;
    if (database.inTransaction) return work();
    let failure: { error: unknown } | undefined;
    const guarded = () => {
      try {
        return work();
      } catch (error) {
        failure = { error };
        throw error;
      }
    };
    try {
      if (!lasting) attempt(() => database.pragma('synchronous = NORMAL'));
      return attempt(() => database.transaction(guarded).immediate());
    } catch (error) {
      // What the work itself met is no failure of the ledger, though it may look like one.
      throw failure === undefined ? error : failure.error;
    } finally {
      attempt(() => database.pragma('synchronous = FULL'));
    }
  }

  /** By path, so that a folder comes before what is in it. */
  watched({ project, checkout }: AreaKey): WatchedRow[] {
    return this.#all(() => this.#statements.watched.all(project, checkout), watchedSchema);
  }

  watchedPath({ project, checkout }: AreaKey, path: string): WatchedRow | undefined {
    return this.#all(() => this.#statements.watchedPath.all(project, checkout, path), watchedSchema)[0];
  }

  watch({ project, checkout }: AreaKey, row: WatchedRow): void {
    this.#run(() => this.#statements.watch.run({ project, checkout, ...row }));
  }

  unwatch({ project, checkout }: AreaKey, path: string): void {
    this.#run(() => this.#statements.unwatch.run(project, checkout, path));
  }

  keep(hash: string, content: Uint8Array): void {
    this.#run(() => this.#statements.keep.run(hash, content));
  }

  kept(hash: string): Buffer | undefined {
    const found: unknown = this.#run(() => this.#statements.kept.get(hash));
    return Buffer.isBuffer(found) ? found : undefined;
  }

  /** Contents of what is no longer watched. Only now and then: it looks at all of them. */
  forgetUnused(): void {
    this.#run(() => this.#statements.forgetUnused.run());
  }

  /** Of every project, the oldest first: what one agent does can reach the files of another. */
  windows(): WindowRow[] {
    return this.#all(() => this.#statements.windows.all(), windowSchema);
  }

  setWindow(row: WindowRow): void {
    this.#run(() => this.#statements.setWindow.run(row));
  }

  removeWindow({ project, checkout, session, action }: Omit<WindowRow, 'opened_at' | 'body'>): void {
    this.#run(() => this.#statements.removeWindow.run(project, checkout, session, action));
  }

  session(project: string, session: string): SessionRow | undefined {
    return this.#all(() => this.#statements.session.all(project, session), sessionSchema)[0];
  }

  setSession(row: SessionRow): void {
    this.#run(() => this.#statements.setSession.run(row));
  }

  #run<Result>(work: () => Result): Result {
    return this.#ledger.file.attempt(work);
  }

  #all<Row>(work: () => unknown[], schema: z.ZodType<Row>): Row[] {
    return this.#run(work).map((row) => schema.parse(row));
  }
}

function prepareStatements({ file: { database } }: Ledger) {
  return {
    watched: database.prepare(
      'SELECT path, stamp, hash, mode FROM watched WHERE project = ? AND checkout = ? ORDER BY path',
    ),
    watchedPath: database.prepare(
      'SELECT path, stamp, hash, mode FROM watched WHERE project = ? AND checkout = ? AND path = ?',
    ),
    watch: database.prepare(
      `INSERT INTO watched (project, checkout, path, stamp, hash, mode)
       VALUES (@project, @checkout, @path, @stamp, @hash, @mode)
       ON CONFLICT (project, checkout, path)
       DO UPDATE SET stamp = excluded.stamp, hash = excluded.hash, mode = excluded.mode`,
    ),
    unwatch: database.prepare('DELETE FROM watched WHERE project = ? AND checkout = ? AND path = ?'),
    keep: database.prepare('INSERT INTO kept (hash, content) VALUES (?, ?) ON CONFLICT (hash) DO NOTHING'),
    kept: database.prepare('SELECT content FROM kept WHERE hash = ?').pluck(),
    forgetUnused: database.prepare('DELETE FROM kept WHERE hash NOT IN (SELECT hash FROM watched)'),
    windows: database.prepare(
      'SELECT project, checkout, session, action, opened_at, body FROM windows ORDER BY opened_at, action',
    ),
    setWindow: database.prepare(
      `INSERT INTO windows (project, checkout, session, action, opened_at, body)
       VALUES (@project, @checkout, @session, @action, @opened_at, @body)
       ON CONFLICT (project, checkout, session, action) DO UPDATE SET body = excluded.body`,
    ),
    removeWindow: database.prepare(
      'DELETE FROM windows WHERE project = ? AND checkout = ? AND session = ? AND action = ?',
    ),
    session: database.prepare(
      'SELECT project, session, began_at, seen_at, body FROM sessions WHERE project = ? AND session = ?',
    ),
    setSession: database.prepare(
      `INSERT INTO sessions (project, session, began_at, seen_at, body)
       VALUES (@project, @session, @began_at, @seen_at, @body)
       ON CONFLICT (project, session) DO UPDATE SET seen_at = excluded.seen_at, body = excluded.body`,
    ),
  };
}
