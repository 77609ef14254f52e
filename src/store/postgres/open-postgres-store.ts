import type { EntityRegistry } from '../../domain/entity-type.ts';
import type { Clock } from '../../platform/clock.ts';
import type { EmbeddingClient } from '../embeddings/embedding-client.ts';
import type { EpisodeStore } from '../episode-store.ts';

export interface PostgresStoreOptions {
  url: string;
  entityTypes?: EntityRegistry;
  clock?: Clock;
  embeddingClient?: EmbeddingClient;
}

export async function openPostgresStore(_options: PostgresStoreOptions): Promise<EpisodeStore> {
  throw new Error('being written');
}
