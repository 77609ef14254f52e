import pg from 'pg';
import { GuardKitError } from '../../guardkit-error.ts';
import type { PostgresDatabase, Query, Session } from '../postgres/postgres-database.ts';
import { postgresError } from '../postgres/postgres-error.ts';
import type { Claim } from './chain-append.ts';
import { claimKey, heldClaims } from './claims.ts';
import { addWorker, beat, endWorker, type NewWorker, WORKER_LOCKS } from './workers.ts';

const BEAT_MS = 1000;
/** For each answer of the server; a cut connection must not hold up the next try. */
const ANSWER_MS = 3000;

/**
 * A worker's sign of life: a session that holds an advisory lock, which the server frees as soon as the process ends, and a
 * heartbeat by the server's clock for a process that hangs or is cut off.
 */
export class WorkerSession {
  readonly id: string;
  readonly #url: string;
  readonly #database: PostgresDatabase;
  /** Its number on the server, and the key of its lock. */
  readonly lock: number;
  readonly #building = new Map<string, AbortController>();
  readonly #onDead: () => void;
  #client: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isLocked = false;
  #isBeating = false;
  #isEnded = false;

  private constructor(url: string, database: PostgresDatabase, id: string, lock: number, onDead: () => void) {
    this.#url = url;
    this.#database = database;
    this.id = id;
    this.lock = lock;
    this.#onDead = onDead;
  }

  /** `onDead` is called once, when other workers have declared this one dead. */
  static async start(
    url: string,
    database: PostgresDatabase,
    worker: NewWorker,
    onDead: () => void,
  ): Promise<WorkerSession> {
    const lock = await addWorker(database, worker);
    const session = new WorkerSession(url, database, worker.id, lock, onDead);
    try {
      await session.#connect();
    } catch (error) {
      // Safe to fail: without a heartbeat it counts as dead.
      await endWorker(database, worker.id, 'did not start').catch(() => undefined);
      throw error;
    }
    session.#timer = setInterval(() => void session.#beat(), BEAT_MS);
    return session;
  }

  /** Aborts the returned signal when the claim is lost. */
  watch(claim: Claim): { signal: AbortSignal; forget(): void } {
    const controller = new AbortController();
    const key = claimKey(claim);
    this.#building.set(key, controller);
    return { signal: controller.signal, forget: () => this.#building.delete(key) };
  }

  async end(why: string): Promise<void> {
    if (this.#isEnded) return;
    this.#isEnded = true;
    clearInterval(this.#timer);
    try {
      await endWorker(this.#database, this.id, why);
    } finally {
      // Its end is waited for: the lock is free only then.
      await this.#client?.end().catch(() => undefined);
    }
  }

  async #connect(): Promise<pg.Client> {
    const client = this.#newClient();
    client.on('error', () => {
      if (this.#client === client) this.#client = undefined;
    });
    client.on('end', () => {
      if (this.#client === client) this.#client = undefined;
    });
    try {
      await client.connect();
      await requireOwnSession(client, () => this.#newClient());
      this.#isLocked = await tryLock(client, this.lock);
      this.#client = client;
      return client;
    } catch (error) {
      await client.end().catch(() => undefined);
      throw postgresError(error, this.#database.location);
    }
  }

  #newClient(): pg.Client {
    const client = new pg.Client({
      connectionString: this.#url,
      keepAlive: true,
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
      fallback_application_name: `guardkit worker ${this.id}`,
    });
    // Without a listener, a connection that breaks would end the process.
    client.on('error', () => {});
    return client;
  }

  /** The lock first: after a restart of the server, others would otherwise see it free. */
  async #beat(): Promise<void> {
    if (this.#isBeating || this.#isEnded) return;
    this.#isBeating = true;
    try {
      const client = this.#client ?? (await this.#connect());
      // Free, unless the server had not noticed yet that our last connection was gone.
      if (!this.#isLocked) this.#isLocked = await tryLock(client, this.lock);
      const session = sessionOf(client);
      if (!(await beat(session, this.id))) return this.#die();
      const held = await heldClaims(session, this.id);
      for (const [key, controller] of this.#building) if (!held.has(key)) controller.abort();
    } catch {
      // Safe: nothing that it writes counts unless the server has it. An unanswered connection is not used again.
      const client = this.#client;
      this.#client = undefined;
      void client?.end().catch(() => undefined);
    } finally {
      this.#isBeating = false;
    }
  }

  #die(): void {
    this.#isEnded = true;
    clearInterval(this.#timer);
    for (const controller of this.#building.values()) controller.abort();
    this.#onDead();
  }
}

async function tryLock(client: pg.Client, lock: number): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS locked', [
    WORKER_LOCKS,
    lock,
  ]);
  return rows[0]?.locked === true;
}

/** On the connection with the lock, whose answers do not take long. */
function sessionOf(client: pg.Client): Session {
  return {
    async query<Row extends pg.QueryResultRow>({ text, values }: Query): Promise<Row[]> {
      let position = 0;
      const numbered = text.replaceAll('?', () => `$${++position}`);
      return (await client.query<Row>(numbered, [...values])).rows;
    },
  };
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
