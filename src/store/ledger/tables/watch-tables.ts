import { createHash } from 'node:crypto';
import { type Fits, isListOf, isShape, isText, isWhole } from '../../../domain/json/plain-shape.ts';
import { dataVersion, immediately, lazyStatements, perDatabase } from '../../sqlite/statements.ts';
import type { Ledger } from '../ledger.ts';
import { brokenLedger } from '../open-ledger-file.ts';
import { cacheRead, findLastCached } from './read-cache.ts';

/** A project's checkout, or a place outside all projects. */
export interface AreaKey {
  project: string;
  checkout: string;
}

export interface WatchedRow {
  path: string;
  stamp: string;
  hash: string;
  mode: number;
}

const isWatched: Fits<WatchedRow> = isShape({ path: isText, stamp: isText, hash: isText, mode: isWhole });
const areWatched = isListOf(isWatched);

export interface WindowRow {
  project: string;
  checkout: string;
  session: string;
  action: string;
  opened_at: number;
  body: string;
}

const isWindow: Fits<WindowRow> = isShape({
  project: isText,
  checkout: isText,
  session: isText,
  action: isText,
  opened_at: isWhole,
  body: isText,
});

export interface SessionRow {
  project: string;
  session: string;
  began_at: number;
  seen_at: number;
  body: string;
}

const isSession: Fits<SessionRow> = isShape({
  project: isText,
  session: isText,
  began_at: isWhole,
  seen_at: isWhole,
  body: isText,
});

/** The row that lists the contents of an area; its stamp is the seal over all others. */
export const AREA_ROW = '/';

/** The state of watched files, windows and sessions: tables outside the chain. */
export class WatchTables {
  readonly #ledger: Ledger;
  readonly #statements: ReturnType<typeof prepareStatements>;
  readonly #touched = new Map<string, AreaKey>();

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
    this.#statements = prepareStatements(ledger.file.database);
  }

  /**
   * Nobody else writes in the meantime. This state need not survive a power cut, which ends every agent too, so nobody
   * waits for the disk unless `lasting` is set; the events themselves are in the chain.
   */
  exclusively<Result>(work: () => Result, { lasting = false } = {}): Result {
    const { database, attempt } = this.#ledger.file;
    if (database.inTransaction) return work();
    const areas = knownAreas(database);
    areas.isWriting = false;
    let failure: { error: unknown } | undefined;
    const guarded = () => {
      try {
        this.#ledger.event?.requireOwn(Date.now());
        const result = work();
        for (const key of this.#touched.values()) this.#seal(key);
        return result;
      } catch (error) {
        failure = { error };
        throw error;
      }
    };
    try {
      if (!lasting) attempt(() => database.exec('PRAGMA synchronous = NORMAL'));
      return attempt(() => immediately(database, guarded));
    } catch (error) {
      // An error of the work itself must not be reported as a failure of the ledger.
      throw failure === undefined ? error : failure.error;
    } finally {
      this.#touched.clear();
      areas.isWriting = false;
      if (!lasting) attempt(() => database.exec('PRAGMA synchronous = FULL'));
    }
  }

  /** By path, so that a folder comes before its contents. */
  watched(key: AreaKey): readonly WatchedRow[] {
    const { project, checkout } = key;
    const name = sealName(key);
    const known = knownAreas(this.#ledger.file.database);
    const version = this.#run(() => dataVersion(this.#ledger.file.database));
    const last = known.areas.get(name);
    if (last && last.version === version) return last.rows;
    const rows = this.#all(() => this.#statements.watched.all(project, checkout), isWatched);
    if (!known.isWriting) known.areas.set(name, { version, rows });
    return rows;
  }

  watchedPath({ project, checkout }: AreaKey, path: string): WatchedRow | undefined {
    return this.#all(() => this.#statements.watchedPath.all(project, checkout, path), isWatched)[0];
  }

  watch({ project, checkout }: AreaKey, row: WatchedRow): void {
    this.#touch({ project, checkout });
    this.#run(() => this.#statements.watch.run({ project, checkout, ...row }));
  }

  unwatch({ project, checkout }: AreaKey, path: string): void {
    this.#touch({ project, checkout });
    this.#run(() => this.#statements.unwatch.run(project, checkout, path));
  }

  #touch(key: AreaKey): void {
    this.#touched.set(sealName(key), key);
    const known = knownAreas(this.#ledger.file.database);
    known.isWriting = true;
    known.areas.delete(sealName(key));
  }

  /** Stores the state of an area in a second place, which reveals writes by other programs. */
  #seal(key: AreaKey): void {
    const rows = this.watched(key);
    const area = rows.find(({ path }) => path === AREA_ROW);
    if (!area) return;
    const seal = sealOf(rows);
    if (area.stamp === seal) return;
    this.watch(key, { ...area, stamp: seal });
    cacheRead(this.#ledger, sealName(key), seal, rows);
  }

  /** The rows of an area as GuardKit left them, if they were altered since. */
  unaltered(key: AreaKey, rows: readonly WatchedRow[]): readonly WatchedRow[] | undefined {
    const area = rows.find(({ path }) => path === AREA_ROW);
    // An area that is being written is sealed at the end.
    if (area?.stamp === sealOf(rows) || this.#touched.has(sealName(key))) return undefined;
    const body = findLastCached(this.#ledger, sealName(key))?.body;
    return areWatched(body) ? body : undefined;
  }

  keep(hash: string, content: Uint8Array): void {
    this.#run(() => this.#statements.keep.run(hash, content));
  }

  /** Also undefined if the content was altered, since only GuardKit may write here. */
  kept(hash: string): Buffer | undefined {
    const found: unknown = this.#run(() => this.#statements.kept.get(hash));
    return Buffer.isBuffer(found) && isContentOf(hash, found) ? found : undefined;
  }

  /** Whether something other than GuardKit changed this content. */
  isAltered(hash: string): boolean {
    const found: unknown = this.#run(() => this.#statements.kept.get(hash));
    return Buffer.isBuffer(found) && !isContentOf(hash, found);
  }

  /** Deletes contents that are no longer watched. Call rarely: it reads all of them. */
  forgetUnused(): void {
    this.#run(() => this.#statements.forgetUnused.run());
  }

  /** Of every project, oldest first: an agent can reach the files of other projects. */
  windows(): WindowRow[] {
    return this.#all(() => this.#statements.windows.all(), isWindow);
  }

  setWindow(row: WindowRow): void {
    this.#run(() => this.#statements.setWindow.run(row));
  }

  removeWindow({ project, checkout, session, action }: Omit<WindowRow, 'opened_at' | 'body'>): void {
    this.#run(() => this.#statements.removeWindow.run(project, checkout, session, action));
  }

  session(project: string, session: string): SessionRow | undefined {
    return this.#all(() => this.#statements.session.all(project, session), isSession)[0];
  }

  /** Of every project. */
  sessions(): SessionRow[] {
    return this.#all(() => this.#statements.sessions.all(), isSession);
  }

  setSession(row: SessionRow): void {
    this.#run(() => this.#statements.setSession.run(row));
  }

  removeSession(project: string, session: string): void {
    this.#run(() => this.#statements.removeSession.run(project, session));
  }

  #run<Result>(work: () => Result): Result {
    return this.#ledger.file.attempt(work);
  }

  #all<Row>(work: () => unknown[], fits: Fits<Row>): Row[] {
    const rows = this.#run(work);
    if (rows.every(fits)) return rows;
    throw brokenLedger(this.#ledger.path, 'a row about watched files, windows or sessions is unreadable');
  }
}

interface KnownAreas {
  /** The rows of areas, as long as no other connection has written. */
  areas: Map<string, { version: unknown; rows: readonly WatchedRow[] }>;
  /** A transaction of this connection has written rows, and may still undo that. */
  isWriting: boolean;
}

const knownAreas = perDatabase((): KnownAreas => ({ areas: new Map(), isWriting: false }));

function sealName({ project, checkout }: AreaKey): string {
  return `watched of ${project} in ${checkout}`;
}

function sealOf(rows: readonly WatchedRow[]): string {
  const hash = createHash('sha256');
  for (const { path, hash: of, mode } of rows)
    hash.update(path === AREA_ROW ? of : `${path}\0${of}\0${mode}\n`);
  return hash.digest('hex');
}

/** For a link, the hash of its target with a prefix. */
function isContentOf(hash: string, content: Buffer): boolean {
  return hash.replace(/^link:/, '') === createHash('sha256').update(content).digest('hex');
}

const prepareStatements = perDatabase((database) =>
  lazyStatements({
    watched: () =>
      database.prepare(
        'SELECT path, stamp, hash, mode FROM watched WHERE project = ? AND checkout = ? ORDER BY path',
      ),
    watchedPath: () =>
      database.prepare(
        'SELECT path, stamp, hash, mode FROM watched WHERE project = ? AND checkout = ? AND path = ?',
      ),
    watch: () =>
      database.prepare(
        `INSERT INTO watched (project, checkout, path, stamp, hash, mode)
       VALUES (@project, @checkout, @path, @stamp, @hash, @mode)
       ON CONFLICT (project, checkout, path)
       DO UPDATE SET stamp = excluded.stamp, hash = excluded.hash, mode = excluded.mode`,
      ),
    unwatch: () => database.prepare('DELETE FROM watched WHERE project = ? AND checkout = ? AND path = ?'),
    keep: () =>
      database.prepare(
        `INSERT INTO kept (hash, content) VALUES (?, ?)
       ON CONFLICT (hash) DO UPDATE SET content = excluded.content WHERE content <> excluded.content`,
      ),
    kept: () => database.prepare('SELECT content FROM kept WHERE hash = ?').pluck(),
    forgetUnused: () => database.prepare('DELETE FROM kept WHERE hash NOT IN (SELECT hash FROM watched)'),
    windows: () =>
      database.prepare(
        'SELECT project, checkout, session, action, opened_at, body FROM windows ORDER BY opened_at, action',
      ),
    setWindow: () =>
      database.prepare(
        `INSERT INTO windows (project, checkout, session, action, opened_at, body)
       VALUES (@project, @checkout, @session, @action, @opened_at, @body)
       ON CONFLICT (project, checkout, session, action) DO UPDATE SET body = excluded.body`,
      ),
    removeWindow: () =>
      database.prepare(
        'DELETE FROM windows WHERE project = ? AND checkout = ? AND session = ? AND action = ?',
      ),
    session: () =>
      database.prepare(
        'SELECT project, session, began_at, seen_at, body FROM sessions WHERE project = ? AND session = ?',
      ),
    sessions: () => database.prepare('SELECT project, session, began_at, seen_at, body FROM sessions'),
    removeSession: () => database.prepare('DELETE FROM sessions WHERE project = ? AND session = ?'),
    setSession: () =>
      database.prepare(
        `INSERT INTO sessions (project, session, began_at, seen_at, body)
       VALUES (@project, @session, @began_at, @seen_at, @body)
       ON CONFLICT (project, session) DO UPDATE SET seen_at = excluded.seen_at, body = excluded.body`,
      ),
  }),
);
