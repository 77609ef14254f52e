import { join } from 'node:path';
import type { EntityType } from '../domain/entities/entity-type.ts';
import { entityRegistry } from '../domain/entities/entity-type.ts';
import { ENTITY_TYPES } from '../domain/entities/entity-types.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import { guardkitHome } from '../platform/guardkit-home.ts';
import { loadPart } from '../platform/load-optional-part.ts';
import { EmbeddingClient, type EmbeddingsOptions } from './embeddings/embedding-client.ts';
import type { EpisodeStore } from './episode-store.ts';

export interface OpenStoreOptions {
  /** A PostgreSQL server; takes precedence over `path`. */
  url?: string;
  /** A SQLite file (default: `guardkit.db` in the data folder). */
  path?: string;
  /** Entity types in addition to GuardKit's own. */
  entityTypes?: readonly EntityType[];
  embeddings?: EmbeddingsOptions;
  clock?: Clock;
  /** How long a call on a SQLite file waits for another process's write. */
  busyTimeoutMs?: number;
  /** How long a server may take to answer before it counts as dead. */
  answerTimeoutMs?: number;
}

/** Opens the episode store. Loads only the backend it needs. */
export async function openStore(options: OpenStoreOptions = {}): Promise<EpisodeStore> {
  const common = {
    entityTypes: entityRegistry([...ENTITY_TYPES, ...(options.entityTypes ?? [])]),
    clock: options.clock ?? systemClock,
    embeddingClient: options.embeddings && new EmbeddingClient(options.embeddings),
  };
  if (options.url !== undefined) {
    const { openPostgresStore } = await loadPart(() => import('./postgres/open-postgres-store.ts'));
    return openPostgresStore({
      url: options.url,
      busyTimeoutMs: options.busyTimeoutMs,
      answerTimeoutMs: options.answerTimeoutMs,
      ...common,
    });
  }
  const { openSqliteStore } = await loadPart(() => import('./sqlite/open-sqlite-store.ts'));
  return openSqliteStore({
    path: options.path ?? join(guardkitHome(), 'guardkit.db'),
    busyTimeoutMs: options.busyTimeoutMs,
    ...common,
  });
}
