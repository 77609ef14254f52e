import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { describe, it } from 'vitest';
import type { EntityRegistry } from '../../src/domain/entity-type.ts';
import type { Clock } from '../../src/platform/clock.ts';
import type { EpisodeStore } from '../../src/store/episode-store.ts';
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import { createDatabase, queryPostgres } from './postgres.ts';

export interface BackendOptions {
  clock?: Clock;
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

export const POSTGRES: Backend = {
  name: 'PostgreSQL',
  async open(options = {}) {
    const { url, cleanup } = await createDatabase();
    return track({
      location: { url },
      connect: (more) => openPostgresStore({ url, ...options, ...more }),
      query: (sql) => queryPostgres(url, sql),
      remove: cleanup,
    });
  },
};

export const BACKENDS: readonly Backend[] = [SQLITE, POSTGRES];

const POSTGRES_SOURCE = new URL('../../src/store/postgres/open-postgres-store.ts', import.meta.url);
const postgresIsMissing = readFileSync(POSTGRES_SOURCE, 'utf8').includes("Error('being written')");

/** The same suite on every backend. A server that cannot be started fails each of its tests, with the reason. */
export function describeOnBackends(subject: string, suite: (backend: Backend) => void): void {
  for (const backend of BACKENDS) {
    describe(`the episode store on ${backend.name}: ${subject}`, () => {
      if (backend === POSTGRES && postgresIsMissing) {
        it.todo('WAITS for src/store/postgres/open-postgres-store.ts to be written');
        return;
      }
      suite(backend);
    });
  }
}

/** For a test that needs both at once. */
export const itOnBothBackends = postgresIsMissing ? it.todo : it;

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
  const database = new BetterSqlite3(path, { fileMustExist: true });
  try {
    const statement = database.prepare<[], Record<string, unknown>>(sql);
    if (statement.reader) return statement.all();
    statement.run();
    return [];
  } finally {
    database.close();
  }
}
