import type { EntityRegistry } from '../../domain/entities/entity-type.ts';
import type { Episode, EpisodeInput } from '../../domain/entities/episode.ts';
import { parseGroup } from '../../domain/entities/group.ts';
import { parseTimestamp } from '../../domain/timestamp.ts';
import type { Clock } from '../../platform/clock.ts';
import { readMoment } from '../as-of.ts';
import { checkSearchFilters } from '../check-filter.ts';
import type { EmbeddingClient } from '../embeddings/embedding-client.ts';
import { Embeddings } from '../embeddings/embeddings.ts';
import type {
  EntityRef,
  EpisodeStore,
  ExportRecord,
  GroupCount,
  ImportReport,
  ListOptions,
  Neighbour,
  NeighbourOptions,
  ReadOptions,
  RelationInput,
  SearchHit,
  SearchOptions,
  StoreInfo,
  UpsertManyOptions,
  UpsertResult,
} from '../episode-store.ts';
import { storeClosed } from '../episode-store.ts';
import { type PreparedEpisode, prepareEpisode, prepareRelation } from '../prepare-episode.ts';
import { searchEpisodes } from '../search/search-episodes.ts';
import { databaseError } from './database-error.ts';
import { EdgeReader, EdgeWriter } from './edges.ts';
import { GroupIds } from './group-ids.ts';
import { Indexer } from './indexer.ts';
import type { Database } from './open-database.ts';
import { EPISODE_DATABASE } from './schema.ts';
import { SqliteSearchIndex } from './sqlite-search-index.ts';
import { exportRecords, importRecords } from './sqlite-transfer.ts';
import { SqliteVectorIndex } from './sqlite-vector-index.ts';
import { StatementCache } from './statements.ts';
import { VersionReader } from './version-reader.ts';
import { advanceStream, VersionWriter } from './version-writer.ts';
import { WriteTransaction } from './write-transaction.ts';

const MANY = 20;

export interface SqliteStoreContext {
  database: Database;
  path: string;
  entityTypes: EntityRegistry;
  clock: Clock;
  embeddingClient?: EmbeddingClient;
}

/** The embedded backend: one file, shared by every process that opens it. */
export class SqliteEpisodeStore implements EpisodeStore {
  readonly entityTypes: EntityRegistry;
  readonly #database: Database;
  readonly #path: string;
  readonly #clock: Clock;
  readonly #groups: GroupIds;
  readonly #statements: StatementCache;
  readonly #reader: VersionReader;
  #madeWriter: VersionWriter | undefined;
  readonly #edgeReader: EdgeReader;
  #madeEdgeWriter: EdgeWriter | undefined;
  #madeIndexer: Indexer | undefined;
  #madeTransaction: WriteTransaction | undefined;
  readonly #embeddings: Embeddings | undefined;
  readonly #vectors: SqliteVectorIndex;

  constructor({ database, path, entityTypes, clock, embeddingClient }: SqliteStoreContext) {
    this.entityTypes = entityTypes;
    this.#database = database;
    this.#path = path;
    this.#clock = clock;
    this.#groups = new GroupIds(database);
    this.#statements = new StatementCache(database);
    this.#reader = new VersionReader(database, this.#groups, entityTypes);
    this.#edgeReader = new EdgeReader(database);
    this.#vectors = new SqliteVectorIndex(database, entityTypes);
    this.#embeddings = embeddingClient && new Embeddings(embeddingClient, this.#vectors);
  }

  // Created on demand: a command that only reads should not wait for statements it never runs.
  get #writer(): VersionWriter {
    this.#madeWriter ??= new VersionWriter(this.#database, this.#groups);
    return this.#madeWriter;
  }

  get #edgeWriter(): EdgeWriter {
    this.#madeEdgeWriter ??= new EdgeWriter(this.#database);
    return this.#madeEdgeWriter;
  }

  get #indexer(): Indexer {
    this.#madeIndexer ??= new Indexer(this.#database, this.entityTypes, this.#transaction);
    return this.#madeIndexer;
  }

  get #transaction(): WriteTransaction {
    this.#madeTransaction ??= new WriteTransaction(this.#database);
    return this.#madeTransaction;
  }

  async upsert(input: EpisodeInput): Promise<UpsertResult> {
    const prepared = prepareEpisode(input, this.entityTypes);
    const done = this.#written(() => this.#writer.upsertAtOnce(prepared, this.#clock()));
    return done ?? this.#write(() => this.#writer.upsert(prepared, this.#clock()));
  }

  async upsertMany(
    inputs: readonly EpisodeInput[],
    { once }: UpsertManyOptions = {},
  ): Promise<UpsertResult[] | undefined> {
    const prepared = inputs.map((input) => prepareEpisode(input, this.entityTypes));
    if (!once) return this.#write(() => this.#upsertAll(prepared));
    this.#assertOpen();
    // The sender forgets what this call confirms, so only here must a power cut not undo it.
    this.#database.pragma('synchronous = FULL');
    try {
      return this.#write(() => {
        const isNew = advanceStream(this.#statements, once.stream, once.number);
        return isNew ? this.#upsertAll(prepared) : undefined;
      });
    } finally {
      this.#database.pragma(`synchronous = ${EPISODE_DATABASE.synchronous}`);
    }
  }

  async get(group: string, entityId: string, options?: ReadOptions): Promise<Episode | undefined> {
    return this.#read(() => this.#reader.get(group, entityId, options));
  }

  async list(group: string, options?: ListOptions): Promise<Episode[]> {
    return this.#read(() => this.#reader.list(group, options));
  }

  async latest(group: string, options?: Pick<ListOptions, 'where' | 'asOf'>): Promise<Episode | undefined> {
    return this.#read(() => this.#reader.latest(group, options));
  }

  async history(group: string, entityId: string): Promise<Episode[]> {
    return this.#read(() => this.#reader.history(group, entityId));
  }

  async find(entityId: string, options?: ReadOptions & { groups?: readonly string[] }): Promise<Episode[]> {
    return this.#read(() => this.#reader.find(entityId, options));
  }

  async search(query: string, options: SearchOptions = {}): Promise<SearchHit[]> {
    const { groups, where, asOf } = options;
    this.#assertOpen();
    const moment = readMoment(asOf);
    for (const group of groups ?? []) parseGroup(group);
    const filters = checkSearchFilters(this.entityTypes, groups, where);
    const groupIds = groups?.flatMap((group) => this.#groups.find(group) ?? []) ?? this.#groups.all();
    if (groupIds.length === 0) return [];
    this.#read(() => this.#indexer.flush());
    const embeddings = this.#embeddings;
    const index = new SqliteSearchIndex(this.#statements, { groupIds, moment, filters });
    return this.#readAsync(() =>
      searchEpisodes(
        {
          index,
          registry: this.entityTypes,
          find: async (ids) => ids.flatMap((id) => this.#reader.findRows(id, moment, groups)),
          rows: async (keys) => this.#reader.rowsByKey(keys),
          // Only current versions have vectors.
          ...(embeddings && !moment
            ? { similarities: (text: string) => embeddings.similarities(text, groups, index.filter) }
            : {}),
        },
        query,
        options,
      ),
    );
  }

  async relate(relation: RelationInput): Promise<boolean> {
    const checked = prepareRelation(relation);
    return this.#write(() => {
      const now = this.#clock();
      const validAt = checked.valid_at === undefined ? now : Date.parse(parseTimestamp(checked.valid_at));
      return this.#edgeWriter.relate(checked, { validAt, createdAt: now });
    });
  }

  async neighbours(start: EntityRef, options?: NeighbourOptions): Promise<Neighbour[]> {
    return this.#readAsync(() => this.#edgeReader.neighbours(start, options));
  }

  async delete(group: string, entityId: string): Promise<boolean> {
    parseGroup(group);
    return this.#write(() => this.#writer.delete(group, entityId, this.#clock()));
  }

  async purge(group: string): Promise<number> {
    parseGroup(group);
    return this.#write(() => this.#writer.purge(group));
  }

  async embed(): Promise<number> {
    return (await this.#embeddings?.embedPending()) ?? 0;
  }

  async counts(): Promise<GroupCount[]> {
    return this.#read(() => this.#reader.counts());
  }

  async info(): Promise<StoreInfo> {
    this.#assertOpen();
    const embeddings = this.#embeddings;
    const counts = embeddings && (await this.#vectors.counts(embeddings.model));
    return this.#read(() => ({
      backend: 'sqlite',
      location: this.#path,
      sizeBytes: this.#pragma('page_count') * this.#pragma('page_size'),
      schemaVersion: this.#pragma('user_version'),
      embeddings:
        embeddings && counts ? { enabled: true, model: embeddings.model, ...counts } : { enabled: false },
    }));
  }

  async *export({ groups }: { groups?: readonly string[] } = {}): AsyncIterable<ExportRecord> {
    this.#assertOpen();
    for (const group of groups ?? []) parseGroup(group);
    yield* exportRecords(this.#path, this.entityTypes, groups);
  }

  async import(records: readonly ExportRecord[]): Promise<ImportReport> {
    return this.#write(() => {
      const report = importRecords(records, this.entityTypes, this.#groups, this.#writer, this.#edgeWriter);
      this.#indexIfMany(records.length);
      return report;
    });
  }

  async close(): Promise<void> {
    await this.#embeddings?.close();
    this.#madeIndexer?.stop();
    this.#database.close();
  }

  #upsertAll(prepared: readonly PreparedEpisode[]): UpsertResult[] {
    const results = prepared.map((episode) => this.#writer.upsert(episode, this.#clock()));
    this.#indexIfMany(prepared.length);
    return results;
  }

  /** Indexing many at once is cheap; left pending, every read would scan them. */
  #indexIfMany(count: number): void {
    if (count >= MANY) this.#indexer.enter();
  }

  #write<Result>(work: () => Result): Result {
    return this.#written(() => this.#transaction.run(work));
  }

  #written<Result>(work: () => Result): Result {
    try {
      const result = work();
      this.#indexer.notify();
      this.#embeddings?.notify();
      return result;
    } catch (error) {
      this.#groups.forget();
      throw this.#explained(error);
    }
  }

  #read<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      throw this.#explained(error);
    }
  }

  async #readAsync<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw this.#explained(error);
    }
  }

  #assertOpen(): void {
    if (!this.#database.open) throw storeClosed(this.#path);
  }

  #explained(error: unknown): unknown {
    if (!this.#database.open) return storeClosed(this.#path);
    return databaseError(error, this.#path, EPISODE_DATABASE.label);
  }

  #pragma(name: string): number {
    return Number(this.#database.pragma(name, { simple: true }));
  }
}
