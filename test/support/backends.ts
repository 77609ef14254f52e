import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import type { EntityRegistry } from '../../src/domain/entities/entity-type.ts';
import type { Clock } from '../../src/platform/clock.ts';
import { openSqlite } from '../../src/platform/open-sqlite.ts';
import type { EmbeddingClient } from '../../src/store/embeddings/embedding-client.ts';
import type { EpisodeStore } from '../../src/store/episode-store.ts';
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import { createDatabase, queryPostgres, type TestDatabase } from './postgres.ts';
import { rows } from './thorough.ts';

export interface BackendOptions {
  clock?: Clock;
  embeddingClient?: EmbeddingClient;
  entityTypes?: EntityRegistry;
}

/** Where a store is, in the words of `openStore`, so that another process can open it too. */
export type StoreLocation = { path: string } | { url: string };

export interface OpenedStore {
  readonly store: EpisodeStore;
  readonly location: StoreLocation;
  /** Closes the store and opens it again, as the next program would. */
  reopen(): Promise<EpisodeStore>;
  /** One more connection to the same data, as another program would have it. */
  openAnother(options?: BackendOptions): Promise<EpisodeStore>;
  /** Runs a statement beside the store, on a connection of its own. */
  query(sql: string): Promise<Record<string, unknown>[]>;
  cleanup(): Promise<void>;
}

export interface Backend {
  name: string;
  open(options?: BackendOptions): Promise<OpenedStore>;
}

export const SQLITE: Backend = {
  name: 'SQLite',
  async open(options = {}) {
    const folder = mkdtempSync(join(tmpdir(), 'guardkit-sqlite-'));
    const path = join(folder, 'guardkit.db');
    return track({
      location: { path },
      connect: (more) => openSqliteStore({ path, ...options, ...more }),
      query: async (sql) => querySqlite(path, sql),
      remove: async () => rmSync(folder, { recursive: true, force: true }),
    });
  },
};

/** Databases of this test file whose store was emptied: making one takes ten times as long. */
const emptied: TestDatabase[] = [];

/** Row by row, since TRUNCATE makes new files for some forty tables and indexes; without the checks of foreign keys. */
const EMPTY_STORE = `
SET lock_timeout = '5s';
SET session_replication_role = replica;
DO $$ DECLARE name text; BEGIN
  FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'guardkit' AND tablename <> 'schema_version' LOOP
    EXECUTE format('DELETE FROM guardkit.%I', name);
  END LOOP;
  PERFORM setval(format('guardkit.%I', sequencename)::regclass, 1, false) FROM pg_sequences WHERE schemaname = 'guardkit';
END $$`;

async function emptyDatabase(database: TestDatabase): Promise<void> {
  try {
    await queryPostgres(database.url, EMPTY_STORE);
    emptied.push(database);
  } catch {
    // A test that failed may have left it in any state; the next one gets a new one.
    await database.cleanup();
  }
}

export const POSTGRES: Backend = {
  name: 'PostgreSQL',
  async open(options = {}) {
    const database = emptied.pop() ?? (await createDatabase());
    const { url } = database;
    return track({
      location: { url },
      connect: (more) => openPostgresStore({ url, ...options, ...more }),
      query: (sql) => queryPostgres(url, sql),
      remove: () => emptyDatabase(database),
    });
  },
};

/** The same suite on every backend, or on those given. A server that cannot be started fails each of its tests, with the reason. */
export function describeOnBackends(
  subject: string,
  suite: (backend: Backend) => void,
  backends: readonly Backend[] = [SQLITE, POSTGRES],
): void {
  for (const backend of backends) {
    describe(`the episode store on ${backend.name}: ${subject}`, () => suite(backend));
  }
}

/** The same suite on every backend in a thorough run, on SQLite in the usual one: what it covers is mostly shared code. */
export function describeOnSqliteFirst(subject: string, suite: (backend: Backend) => void): void {
  describeOnBackends(subject, suite, rows(1, [SQLITE, POSTGRES]));
}

interface Parts {
  location: StoreLocation;
  connect(options?: BackendOptions): Promise<EpisodeStore>;
  query(sql: string): Promise<Record<string, unknown>[]>;
  remove(): Promise<void>;
}

async function track({ location, connect, query, remove }: Parts): Promise<OpenedStore> {
  let store: EpisodeStore;
  const others: EpisodeStore[] = [];
  try {
    store = await connect();
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    get store() {
      return store;
    },
    location,
    query,
    async reopen() {
      await store.close();
      store = await connect();
      return store;
    },
    async openAnother(options) {
      const other = await connect(options);
      others.push(other);
      return other;
    },
    async cleanup() {
      for (const open of [store, ...others]) await open.close();
      await remove();
    },
  };
}

function querySqlite(path: string, sql: string): Record<string, unknown>[] {
  const database = openSqlite(path, { fileMustExist: true });
  try {
    const statement = database.prepare<[], Record<string, unknown>>(sql);
    if (statement.reader) return statement.all();
    statement.run();
    return [];
  } finally {
    database.close();
  }
}
