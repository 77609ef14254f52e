import type { MessagePort } from 'node:worker_threads';
import pg from 'pg';
import { GuardKitError } from '../../guardkit-error.ts';
import { sessionOn } from '../postgres/postgres-database.ts';
import { postgresError } from '../postgres/postgres-error.ts';
import { heldClaims } from './claims.ts';
import { addWorker, beat, type NewWorker, WORKER_LOCKS } from './workers.ts';

export const BEAT_MS = 1000;
/** For each answer of the server; a cut connection must not hold up the next try. */
export const ANSWER_MS = 3000;
/** A program whose own thread does nothing for this long hangs; until then it may be busy on a busy machine. */
const STUCK_MS = 300_000;

/** Settings of the thread. */
export interface SessionSettings {
  url: string;
  /** The server for messages, without a password. */
  location: string;
  worker: NewWorker;
  /** Counted up by the program's own thread while it lives. */
  pulse: Int32Array;
}

export type SessionCommand = { watch: string } | { forget: string } | { end: true };

export type SessionNews =
  /** The worker is registered, and holds this lock. */
  | { type: 'connected'; lock: number }
  | { type: 'failed'; error: Pick<GuardKitError, 'code' | 'kind' | 'message' | 'hint'> }
  /** Claims that are no longer the worker's. */
  | { type: 'lost'; claims: string[] }
  /** Others have declared the worker dead. */
  | { type: 'dead' };

/**
 * In a thread of a worker: holds its advisory lock, which the server frees as soon as the process ends, and sends its
 * heartbeats. The program's own thread is often busy for seconds on a busy machine, and would be declared dead.
 */
export function keepSession(port: MessagePort, settings: SessionSettings): void {
  const keeper = new SessionKeeper(settings, (news) => port.postMessage(news));
  port.on('message', async (command: SessionCommand) => {
    if ('watch' in command) keeper.watched.add(command.watch);
    else if ('forget' in command) keeper.watched.delete(command.forget);
    else {
      await keeper.end();
      port.close();
    }
  });
  void keeper.start();
}

class SessionKeeper {
  /** Claims that the program works on. */
  readonly watched = new Set<string>();
  readonly #settings: SessionSettings;
  readonly #tell: (news: SessionNews) => void;
  /** Its number on the server, and the key of its lock; undefined until it is registered. */
  #lock: number | undefined;
  #client: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isLocked = false;
  #isBeating = false;
  #isEnded = false;
  #pulse = 0;
  #pulseAt = performance.now();

  constructor(settings: SessionSettings, tell: (news: SessionNews) => void) {
    this.#settings = settings;
    this.#tell = tell;
  }

  async start(): Promise<void> {
    try {
      await this.#connect();
    } catch (caught) {
      const error = postgresError(caught, this.#settings.location);
      if (!(error instanceof GuardKitError)) throw error;
      const { code, kind, message, hint } = error;
      return this.#tell({ type: 'failed', error: { code, kind, message, hint } });
    }
    this.#timer = setInterval(() => void this.#beat(), BEAT_MS);
    this.#tell({ type: 'connected', lock: this.#lock ?? 0 });
  }

  async end(): Promise<void> {
    this.#isEnded = true;
    clearInterval(this.#timer);
    await this.#client?.end().catch(() => undefined);
  }

  async #connect(): Promise<pg.Client> {
    const client = this.#newClient();
    const forget = () => {
      if (this.#client === client) this.#client = undefined;
    };
    client.on('error', forget);
    client.on('end', forget);
    try {
      await client.connect();
      await requireOwnSession(client, () => this.#newClient());
      // On the connection that takes the lock: others must not see a registered worker for long whose lock is free.
      this.#lock ??= await addWorker(sessionOn(client), this.#settings.worker);
      this.#isLocked = await tryLock(client, this.#lock);
      this.#client = client;
      return client;
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
  }

  #newClient(): pg.Client {
    const { url, worker } = this.#settings;
    const client = new pg.Client({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
      fallback_application_name: `guardkit worker ${worker.id}`,
    });
    // Without a listener, a connection that breaks would end the process.
    client.on('error', () => {});
    return client;
  }

  /** The lock first: after a restart of the server, others would otherwise see it free. */
  async #beat(): Promise<void> {
    if (this.#isBeating || this.#isEnded || this.#isStuck()) return;
    this.#isBeating = true;
    try {
      const client = this.#client ?? (await this.#connect());
      // Free, unless the server had not noticed yet that our last connection was gone.
      if (!this.#isLocked) this.#isLocked = await tryLock(client, this.#lock);
      const session = sessionOn(client);
      const { id } = this.#settings.worker;
      if (!(await beat(session, id))) return await this.#die();
      // Those that are added from now on may be missing in the answer.
      const watched = [...this.watched];
      const held = await heldClaims(session, id);
      const lost = watched.filter((claim) => !held.has(claim));
      if (lost.length > 0) this.#tell({ type: 'lost', claims: lost });
    } catch {
      // Safe: nothing that it writes counts unless the server has it. An unanswered connection is not used again.
      const client = this.#client;
      this.#client = undefined;
      void client?.end().catch(() => undefined);
    } finally {
      this.#isBeating = false;
    }
  }

  #isStuck(): boolean {
    const pulse = Atomics.load(this.#settings.pulse, 0);
    if (pulse !== this.#pulse) this.#pulseAt = performance.now();
    this.#pulse = pulse;
    return performance.now() - this.#pulseAt > STUCK_MS;
  }

  async #die(): Promise<void> {
    this.#tell({ type: 'dead' });
    await this.end();
  }
}

async function tryLock(client: pg.Client, lock: number | undefined): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS locked', [
    WORKER_LOCKS,
    lock,
  ]);
  return rows[0]?.locked === true;
}

/**
 * A pooler in transaction mode gives every transaction another session, and so loses the lock. In session mode it keeps ours
 * apart from those of others: while it is idle, nobody else gets it.
 */
async function requireOwnSession(client: pg.Client, connect: () => pg.Client): Promise<void> {
  const own = await backendOf(client);
  // `processID` is from the start of the connection; a pooler makes one up.
  if (own === (client as unknown as { processID: number }).processID) return;
  const other = connect();
  try {
    await other.connect();
    await other.query('BEGIN');
    // The session that was used last is the first that a pooler gives away.
    const shared = await backendOf(other);
    if (shared !== own && (await backendOf(client)) === own) return;
  } finally {
    await other.end().catch(() => undefined);
  }
  throw new GuardKitError({
    code: 'queue.pooled',
    kind: 'input',
    message:
      'The database URL points to a connection pooler in transaction mode; a worker needs a session of its own.',
    hint: 'Give workers the address of PostgreSQL itself, or of a pool in session mode (PgBouncer: pool_mode = session).',
  });
}

async function backendOf(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid;
}
