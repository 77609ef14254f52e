import type { EntityRegistry } from '../../domain/entities/entity-type.ts';
import { ENTITY_REGISTRY } from '../../domain/entities/entity-types.ts';
import { type Clock, systemClock } from '../../platform/clock.ts';
import type { EmbeddingClient } from '../embeddings/embedding-client.ts';
import type { EpisodeStore } from '../episode-store.ts';
import { openDatabase } from './open-database.ts';
import { EPISODE_DATABASE } from './schema.ts';
import { SqliteEpisodeStore } from './sqlite-episode-store.ts';

export interface SqliteStoreOptions {
  path: string;
  entityTypes?: EntityRegistry;
  clock?: Clock;
  embeddingClient?: EmbeddingClient;
  /** How long a call waits for another process's write. */
  busyTimeoutMs?: number;
}

/** Opens the store in a file, or creates it. */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<EpisodeStore> {
  const {
    path,
    entityTypes = ENTITY_REGISTRY,
    clock = systemClock,
    embeddingClient,
    busyTimeoutMs,
  } = options;
  const database = openDatabase(path, EPISODE_DATABASE, busyTimeoutMs);
  return new SqliteEpisodeStore({ database, path, entityTypes, clock, embeddingClient });
}
