import type { EntityRegistry } from '../../domain/entities/entity-type.ts';
import { ENTITY_REGISTRY } from '../../domain/entities/entity-types.ts';
import { type Clock, systemClock } from '../../platform/clock.ts';
import type { EmbeddingClient } from '../embeddings/embedding-client.ts';
import type { EpisodeStore } from '../episode-store.ts';
import { migrate } from './migrate.ts';
import { PostgresDatabase } from './postgres-database.ts';
import { PostgresEpisodeStore } from './postgres-episode-store.ts';
import { readServerAddress } from './server-address.ts';

export interface PostgresStoreOptions {
  url: string;
  entityTypes?: EntityRegistry;
  clock?: Clock;
  embeddingClient?: EmbeddingClient;
  /** How long a call waits for another process's write. */
  busyTimeoutMs?: number;
  /** How long the server may take to answer. */
  answerTimeoutMs?: number;
}

/** Opens the store in a server's database, and creates its schema if missing. */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<EpisodeStore> {
  const {
    url,
    entityTypes = ENTITY_REGISTRY,
    clock = systemClock,
    embeddingClient,
    busyTimeoutMs,
    answerTimeoutMs,
  } = options;
  const database = new PostgresDatabase(readServerAddress(url), busyTimeoutMs, answerTimeoutMs);
  try {
    await migrate(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  return new PostgresEpisodeStore({ database, entityTypes, clock, embeddingClient });
}
