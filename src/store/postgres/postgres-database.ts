import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { GuardKitError } from '../../guardkit-error.ts';
import { storeClosed } from '../episode-store.ts';
import type { Sql } from '../sql.ts';
import { isConflict, postgresError, sqlState } from './postgres-error.ts';
import { encodeText } from './postgres-text.ts';
import type { ServerAddress } from './server-address.ts';

type Scalar = string | number | null;
export type SqlValue = Scalar | readonly Scalar[] | readonly Buffer[];

/** A query with a name is prepared once for each connection, which pays where planning costs more than the work. */
export interface Query extends Sql<SqlValue> {
  name?: string;
}

/** Something that queries can be sent to: any connection, or the one of a transaction. */
export interface Session {
  query<Row extends pg.QueryResultRow>(query: Query): Promise<Row[]>;
}

const MAX_CONNECTIONS = 4;
/** A server that is away refuses at once; this is for one behind a firewall that drops packets. */
const CONNECT_TIMEOUT_S = 5;
/** Longer than the server's own limit: it fires only when the connection is dead and nobody has noticed. */
const QUERY_TIMEOUT_MS = 60_000;
/** As long as SQLite waits, and for the same reason: enough for writers in a queue, short enough to notice a stuck one. */
const LOCK_TIMEOUT_MS = 10_000;
const MAX_ATTEMPTS = 5;
const BIGINT = 20;

/** Our numbers of 64 bits are times in milliseconds, counts and keys, all exact in a JavaScript number. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === BIGINT ? Number : pg.types.getTypeParser(oid, format)),
};

/** Its time limit is for connecting alone; the pool's own would also count the wait for a free connection. */
class ImpatientClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super({ ...config, connectionTimeoutMillis: connectTimeoutMs(config?.connectionString) });
    // Without a listener a connection that breaks while nothing is asked of it would end the process; the next
    // query on it fails and says so.
    this.on('error', () => {});
    // After a failed login the driver would leave the socket open, and the process with it.
    this.connection.on('error', () => this.connection.stream.destroy());
  }
}

/** In the URL, as every PostgreSQL client reads it: `?connect_timeout=SECONDS`. The driver itself ignores it. */
function connectTimeoutMs(url = ''): number {
  const seconds = Number(/[?&]connect_timeout=(\d{1,5})(?:&|$)/.exec(url)?.[1] ?? CONNECT_TIMEOUT_S);
  return Math.max(seconds, 1) * 1000;
}

/** One PostgreSQL database, through a few connections. Whatever fails comes out explained. */
export class PostgresDatabase implements Session {
  readonly location: string;
  readonly #config: pg.ClientConfig;
  readonly #pool: pg.Pool;
  #closing: Promise<void> | undefined;

  constructor(
    { url, location }: ServerAddress,
    lockTimeoutMs = LOCK_TIMEOUT_MS,
    answerTimeoutMs = QUERY_TIMEOUT_MS,
  ) {
    this.location = location;
    this.#config = {
      connectionString: url,
      fallback_application_name: 'guardkit',
      keepAlive: true,
      query_timeout: answerTimeoutMs,
      types,
    };
    this.#pool = new pg.Pool({
      ...this.#config,
      Client: ImpatientClient,
      max: MAX_CONNECTIONS,
      idleTimeoutMillis: 30_000,
      // A program that forgets to close its store can still end.
      allowExitOnIdle: true,
      onConnect: async (client) => {
        await client.query(settings(lockTimeoutMs));
      },
    });
    // A connection that breaks while idle has left the pool already; the next query opens another.
    this.#pool.on('error', () => {});
  }

  async query<Row extends pg.QueryResultRow>(query: Query): Promise<Row[]> {
    this.#assertOpen();
    try {
      return await send<Row>(this.#pool, query);
    } catch (error) {
      throw postgresError(error, this.location);
    }
  }

  /** Runs `work` in a transaction begun with `begin`, again from its start where another process was in the way. */
  async transaction<Result>(work: (session: Session) => Promise<Result>, begin = 'BEGIN'): Promise<Result> {
    this.#assertOpen();
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt(work, begin);
      } catch (error) {
        if (attempt >= MAX_ATTEMPTS || !isConflict(error)) throw postgresError(error, this.location);
        await sleep(Math.random() * 20 * attempt);
      }
    }
  }

  async #attempt<Result>(work: (session: Session) => Promise<Result>, begin: string): Promise<Result> {
    const client = await this.#pool.connect();
    let broken = false;
    try {
      await client.query(begin);
      const result = await work({ query: (query) => send(client, query) });
      await client.query('COMMIT');
      return result;
    } catch (error) {
      broken = !(await rollBack(client, error));
      throw error;
    } finally {
      client.release(broken);
    }
  }

  /** A read-only snapshot on a connection of its own, so that a slow reader keeps no writer waiting. */
  async *snapshot<Item>(read: (session: Session) => AsyncIterable<Item>): AsyncGenerator<Item> {
    const client = new ImpatientClient(this.#config);
    try {
      await client.connect();
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL jit = off');
      yield* read({ query: (query) => send(client, query) });
    } catch (error) {
      throw postgresError(error, this.location);
    } finally {
      await client.end();
    }
  }

  #assertOpen(): void {
    if (this.#closing) throw storeClosed(this.location);
  }

  /** Waits for what is under way. */
  close(): Promise<void> {
    this.#closing ??= this.#pool.end();
    return this.#closing;
  }
}

/**
 * Sent on connecting and not with it, since connection poolers refuse settings in the start-up packet. Compiling a
 * query costs more than any of ours.
 */
function settings(lockTimeoutMs: number): string {
  return (
    `SET lock_timeout = ${Math.trunc(lockTimeoutMs)}; SET statement_timeout = 30000; ` +
    'SET idle_in_transaction_session_timeout = 60000; SET jit = off'
  );
}

async function send<Row extends pg.QueryResultRow>(
  to: pg.Pool | pg.ClientBase,
  { text, values, name }: Query,
): Promise<Row[]> {
  let position = 0;
  const { rows } = await to.query<Row>({
    name,
    text: text.replaceAll('?', () => `$${++position}`),
    values: values.map(encodeValue),
  });
  return rows;
}

function encodeValue(value: unknown): unknown {
  if (typeof value === 'string') return encodeText(value);
  return Array.isArray(value) ? value.map(encodeValue) : value;
}

/** True if the connection can be used again. */
async function rollBack(client: pg.PoolClient, error: unknown): Promise<boolean> {
  // Where neither the server nor we ourselves refused, the connection may be dead or still at work.
  if (sqlState(error) === undefined && !(error instanceof GuardKitError)) return false;
  try {
    await client.query('ROLLBACK');
    return true;
  } catch {
    // Safe: the connection is given up, and the server rolls back what was open on it.
    return false;
  }
}
