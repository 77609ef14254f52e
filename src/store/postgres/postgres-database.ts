import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { GuardKitError } from '../../guardkit-error.ts';
import { storeClosed } from '../episode-store.ts';
import type { Sql } from '../sql.ts';
import { isConflict, postgresError, sqlState } from './postgres-error.ts';
import type { ServerAddress } from './server-address.ts';

type Scalar = string | number | null;
export type SqlValue = Scalar | readonly Scalar[] | readonly Buffer[];

/** A named query is prepared once per connection, which pays off where planning costs more than the work. */
export interface Query extends Sql<SqlValue> {
  name?: string;
}

/** Accepts queries: any connection, or that of a transaction. */
export interface Session {
  query<Row extends pg.QueryResultRow>(query: Query): Promise<Row[]>;
}

const MAX_CONNECTIONS = 4;
/** For a server behind a firewall that drops packets; a stopped server refuses at once. */
const CONNECT_TIMEOUT_S = 5;
/** Longer than the server's own limit: applies only to a dead connection that nobody has noticed. */
const QUERY_TIMEOUT_MS = 60_000;
/** Same as for SQLite: enough for a queue of writers, short enough to notice a stuck one. */
const LOCK_TIMEOUT_MS = 10_000;
const MAX_ATTEMPTS = 5;
const BIGINT = 20;

/** Our 64-bit numbers are times, counts and keys, all exact in a JavaScript number. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === BIGINT ? Number : pg.types.getTypeParser(oid, format)),
};

/** Its timeout covers connecting only; the pool's own would also count the wait for a free connection. */
class TimedClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super({ ...config, connectionTimeoutMillis: connectTimeoutMs(config?.connectionString) });
    // Without a listener, an idle connection that breaks would end the process; the next query on it reports the error.
    this.on('error', () => {});
    // After a failed login the driver would leave the socket open and keep the process alive.
    this.connection.on('error', () => this.connection.stream.destroy());
  }
}

/** The URL parameter of every PostgreSQL client, `?connect_timeout=SECONDS`, which the driver ignores. */
function connectTimeoutMs(url = ''): number {
  const seconds = Number(/[?&]connect_timeout=(\d{1,5})(?:&|$)/.exec(url)?.[1] ?? CONNECT_TIMEOUT_S);
  return Math.max(seconds, 1) * 1000;
}

/** One PostgreSQL database through a few connections. Converts all errors for people. */
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
      Client: TimedClient,
      max: MAX_CONNECTIONS,
      idleTimeoutMillis: 30_000,
      // Lets a program exit that forgot to close its store.
      allowExitOnIdle: true,
      onConnect: async (client) => {
        await client.query(settings(lockTimeoutMs));
      },
    });
    // An idle connection that breaks has already left the pool; the next query opens another.
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

  /** Runs `work` in a transaction started with `begin`, and retries it after a conflict with another process. */
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
      const result = await work(sessionOn(client));
      await client.query('COMMIT');
      return result;
    } catch (error) {
      broken = !(await rollBack(client, error));
      throw error;
    } finally {
      client.release(broken);
    }
  }

  /** A read-only snapshot on its own connection, so that a slow reader does not block writers. */
  async *snapshot<Item>(read: (session: Session) => AsyncIterable<Item>): AsyncGenerator<Item> {
    const client = new TimedClient(this.#config);
    try {
      await client.connect();
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL jit = off');
      yield* read(sessionOn(client));
    } catch (error) {
      throw postgresError(error, this.location);
    } finally {
      await client.end();
    }
  }

  #assertOpen(): void {
    if (this.#closing) throw storeClosed(this.location);
  }

  /** Waits for calls in progress. */
  close(): Promise<void> {
    this.#closing ??= this.#pool.end();
    return this.#closing;
  }
}

/**
 * Sent after connecting, since connection poolers refuse settings in the startup packet. JIT compilation costs more
 * than any of our queries.
 */
function settings(lockTimeoutMs: number): string {
  return (
    `SET lock_timeout = ${Math.trunc(lockTimeoutMs)}; SET statement_timeout = 30000; ` +
    'SET idle_in_transaction_session_timeout = 60000; SET jit = off'
  );
}

/** Queries on one connection. */
export function sessionOn(client: pg.ClientBase): Session {
  return { query: (query) => send(client, query) };
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
  // If neither the server nor GuardKit refused, the connection may be dead or busy.
  if (sqlState(error) === undefined && !(error instanceof GuardKitError)) return false;
  try {
    await client.query('ROLLBACK');
    return true;
  } catch {
    // Safe: the connection is discarded, and the server rolls back.
    return false;
  }
}

/**
 * PostgreSQL's text type cannot store U+0000, which JSON strings and so indexed fields may contain. It is encoded as
 * two characters that keep equality and order. Lone surrogates, which UTF-8 does not have, become U+FFFD, as in
 * SQLite.
 */
const ESCAPES = [
  ['\u0001', '\u0001\u0002'],
  ['\u0000', '\u0001\u0001'],
] as const;

export function encodeText(text: string): string {
  return ESCAPES.reduce(
    (encoded, [character, pair]) => encoded.replaceAll(character, pair),
    text.toWellFormed(),
  );
}

export function decodeText(text: string): string {
  return ESCAPES.reduceRight((decoded, [character, pair]) => decoded.replaceAll(pair, character), text);
}

/** Rows for `json_to_recordset`. */
export function encodeRows(rows: readonly object[]): string {
  return JSON.stringify(rows, (_key, value: unknown) =>
    typeof value === 'string' ? encodeText(value) : value,
  );
}
