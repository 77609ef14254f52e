import type { EntityRegistry } from '../../domain/entities/entity-type.ts';
import type { Episode, EpisodeInput } from '../../domain/entities/episode.ts';
import { parseGroup } from '../../domain/entities/group.ts';
import type { Clock } from '../../platform/clock.ts';
import { readMoment } from '../as-of.ts';
import { checkSearchFilters } from '../check-filter.ts';
import type { EmbeddingClient } from '../embeddings/embedding-client.ts';
import { Embeddings } from '../embeddings/embeddings.ts';
import {
  type EntityRef,
  type EpisodeStore,
  type ExportRecord,
  type GroupCount,
  type ImportReport,
  type ListOptions,
  type Neighbour,
  type NeighbourOptions,
  type ReadOptions,
  type RelationInput,
  type SearchHit,
  type SearchOptions,
  type StoreInfo,
  type StreamAnchor,
  storeClosed,
  type UpsertManyOptions,
  type UpsertResult,
} from '../episode-store.ts';
import { prepareEpisode, prepareRelation } from '../prepare-episode.ts';
import { searchEpisodes } from '../search/search-episodes.ts';
import { readNeighbours } from './edge-reader.ts';
import { GroupIds } from './group-ids.ts';
import { FROM_EPISODES } from './list-query.ts';
import type { PostgresDatabase, Session } from './postgres-database.ts';
import { PostgresSearchIndex } from './postgres-search-index.ts';
import { exportRecords, importRecords, prepareImport } from './postgres-transfer.ts';
import { PostgresVectorIndex } from './postgres-vector-index.ts';
import { MIGRATIONS } from './schema.ts';
import { VersionReader } from './version-reader.ts';
import { refreshStatistics, VersionWriter } from './version-writer.ts';
import { ALL_BUCKETS, beginLocked } from './write-locks.ts';

export interface PostgresStoreContext {
  database: PostgresDatabase;
  entityTypes: EntityRegistry;
  clock: Clock;
  embeddingClient?: EmbeddingClient;
}

/** The backend for teams: a schema in a PostgreSQL database, shared by every machine that can reach it. */
export class PostgresEpisodeStore implements EpisodeStore {
  readonly entityTypes: EntityRegistry;
  readonly #database: PostgresDatabase;
  readonly #groups: GroupIds;
  readonly #reader: VersionReader;
  readonly #writer: VersionWriter;
  readonly #embeddings: Embeddings | undefined;
  readonly #vectors: PostgresVectorIndex;
  readonly #running = new Set<Promise<unknown>>();
  #closing: Promise<void> | undefined;

  constructor({ database, entityTypes, clock, embeddingClient }: PostgresStoreContext) {
    this.entityTypes = entityTypes;
    this.#database = database;
    this.#groups = new GroupIds(database);
    this.#reader = new VersionReader(database, this.#groups, entityTypes);
    this.#writer = new VersionWriter(database, this.#groups, clock);
    this.#vectors = new PostgresVectorIndex(database, entityTypes);
    this.#embeddings = embeddingClient && new Embeddings(embeddingClient, this.#vectors);
  }

  async upsert(input: EpisodeInput): Promise<UpsertResult> {
    const [result] = (await this.upsertMany([input])) ?? [];
    if (!result) throw new Error('An upsert of one episode returned no result.');
    return result;
  }

  async upsertMany(
    inputs: readonly EpisodeInput[],
    { once }: UpsertManyOptions = {},
  ): Promise<UpsertResult[] | undefined> {
    const prepared = inputs.map((input) => prepareEpisode(input, this.entityTypes));
    return this.#write(() => this.#writer.upsert(prepared, once));
  }

  async anchors(stream: string): Promise<StreamAnchor[]> {
    return this.#run(() => readAnchors(this.#database, stream));
  }

  async get(group: string, entityId: string, options?: ReadOptions): Promise<Episode | undefined> {
    return this.#run(() => this.#reader.get(group, entityId, options));
  }

  async list(group: string, options?: ListOptions): Promise<Episode[]> {
    return this.#run(() => this.#reader.list(group, options));
  }

  async latest(group: string, options?: Pick<ListOptions, 'where' | 'asOf'>): Promise<Episode | undefined> {
    return this.#run(() => this.#reader.latest(group, options));
  }

  async history(group: string, entityId: string): Promise<Episode[]> {
    return this.#run(() => this.#reader.history(group, entityId));
  }

  async find(entityId: string, options?: ReadOptions & { groups?: readonly string[] }): Promise<Episode[]> {
    return this.#run(() => this.#reader.find(entityId, options));
  }

  async search(query: string, options: SearchOptions = {}): Promise<SearchHit[]> {
    const { groups, where, asOf } = options;
    const moment = readMoment(asOf);
    for (const group of groups ?? []) parseGroup(group);
    const filters = checkSearchFilters(this.entityTypes, groups, where);
    const embeddings = this.#embeddings;
    return this.#run(async () => {
      const groupIds = groups && [...(await this.#groups.findAll(groups)).values()];
      if (groupIds?.length === 0) return [];
      const index = new PostgresSearchIndex(this.#database, { groupIds, moment, filters });
      return searchEpisodes(
        {
          index,
          registry: this.entityTypes,
          find: (ids) => this.#reader.findRows(ids, moment, groups),
          rows: (keys) => this.#reader.rowsByKey(keys),
          // Only current versions have vectors.
          ...(embeddings && !moment
            ? { similarities: (text: string) => embeddings.similarities(text, groups, index.filter) }
            : {}),
        },
        query,
        options,
      );
    });
  }

  async relate(relation: RelationInput): Promise<boolean> {
    const checked = prepareRelation(relation);
    return this.#write(() => this.#writer.relate(checked));
  }

  async neighbours(start: EntityRef, options?: NeighbourOptions): Promise<Neighbour[]> {
    return this.#run(() => readNeighbours(this.#database, start, options));
  }

  async delete(group: string, entityId: string): Promise<boolean> {
    parseGroup(group);
    return this.#write(() => this.#writer.delete(group, entityId));
  }

  async purge(group: string): Promise<number> {
    parseGroup(group);
    return this.#write(() => this.#writer.purge(group));
  }

  async embed(): Promise<number> {
    this.#assertOpen();
    return (await this.#embeddings?.embedPending()) ?? 0;
  }

  async counts(): Promise<GroupCount[]> {
    return this.#run(() =>
      this.#database.query<GroupCount>({
        text: `SELECT g.name AS "group", count(*) FILTER (WHERE e.expired_at IS NULL) AS episodes, count(*) AS versions
               FROM ${FROM_EPISODES} GROUP BY g.name ORDER BY g.name`,
        values: [],
      }),
    );
  }

  async info(): Promise<StoreInfo> {
    return this.#run(async () => ({
      backend: 'postgres',
      location: this.#database.location,
      sizeBytes: await schemaSize(this.#database),
      schemaVersion: MIGRATIONS.length,
      embeddings: this.#embeddings
        ? {
            enabled: true,
            model: this.#embeddings.model,
            ...(await this.#vectors.counts(this.#embeddings.model)),
          }
        : { enabled: false },
    }));
  }

  async *export({ groups }: { groups?: readonly string[] } = {}): AsyncIterable<ExportRecord> {
    this.#assertOpen();
    for (const group of groups ?? []) parseGroup(group);
    // On its own connection: closing does not wait for a reader that may never return.
    yield* this.#database.snapshot((session) => exportRecords(session, this.entityTypes, groups));
  }

  async import(records: readonly ExportRecord[]): Promise<ImportReport> {
    const prepared = prepareImport(records, this.entityTypes);
    return this.#write(async () => {
      const groupIds = await this.#groups.findOrCreateAll(prepared.groups);
      const report = await this.#database.transaction(
        (session) => importRecords(session, prepared, groupIds),
        beginLocked(ALL_BUCKETS),
      );
      await refreshStatistics(this.#database, report.added);
      return report;
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await Promise.allSettled(this.#running);
    await this.#embeddings?.close();
    await this.#database.close();
  }

  async #write<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      const result = await this.#run(work);
      this.#embeddings?.notify();
      return result;
    } catch (error) {
      this.#groups.forget();
      throw error;
    }
  }

  /** Refused after closing; closing waits for earlier calls. */
  async #run<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#assertOpen();
    const running = work();
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  #assertOpen(): void {
    if (this.#closing) throw storeClosed(this.#database.location);
  }
}

/** Bytes of all tables of the schema, with their indexes. */
async function schemaSize(session: Session): Promise<number> {
  const [row] = await session.query<{ size: number }>({
    text: `SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint AS size FROM pg_class
           WHERE relnamespace = to_regnamespace('guardkit') AND relkind = 'r'`,
    values: [],
  });
  return row?.size ?? 0;
}

async function readAnchors(session: Session, stream: string): Promise<StreamAnchor[]> {
  const rows = await session.query<{ number: number; hash: string; at: Date }>({
    text: 'SELECT number, hash, at FROM guardkit.ledger_anchor WHERE stream = ? ORDER BY number',
    values: [stream],
  });
  return rows.map(({ number, hash, at }) => ({ number, hash, at: at.toISOString() }));
}
