import type { EntityRegistry } from '../domain/entities/entity-type.ts';
import type { Edge, Episode, EpisodeInput } from '../domain/entities/episode.ts';
import { GuardKitError } from '../guardkit-error.ts';

export type UpsertAction = 'created' | 'updated' | 'unchanged';

export interface UpsertResult {
  action: UpsertAction;
  /** The current version after the call. */
  uuid: string;
  /** The version that this call closed. */
  previousUuid?: string;
}

/**
 * The moment a read looks back to. A plain time asks what was true then, as we know it today; `knownAt` asks what
 * the store would have answered then.
 */
export type AsOf = string | { validAt?: string; knownAt?: string };

export interface ReadOptions {
  asOf?: AsOf;
}

export type FilterValue = string | number | boolean | null;

/** A condition on a declared indexed field, or on one of the columns in `EPISODE_FIELDS`. */
export type Filter =
  | { field: string; op: 'eq' | 'ne' | 'lt' | 'lte' | 'gt' | 'gte'; value: FilterValue }
  | { field: string; op: 'in'; value: readonly Exclude<FilterValue, null>[] };

/** Columns of every episode that may be filtered and sorted on like a declared field. */
export const EPISODE_FIELDS = ['entity_id', 'entity_type', 'source', 'valid_at', 'created_at'] as const;

export interface ListOptions extends ReadOptions {
  where?: readonly Filter[];
  /** Newest first unless said; ties always fall newest first. */
  orderBy?: { field: string; direction: 'asc' | 'desc' };
  limit?: number;
  offset?: number;
}

export interface SearchOptions extends ReadOptions {
  /** All groups, if left out. */
  groups?: readonly string[];
  /** What every hit has to fit; every one of the groups, which have to be named, declares these fields. */
  where?: readonly Filter[];
  /** 10 unless said, 1000 at most. */
  limit?: number;
  /** Find nothing if the query names ids, such as TASK-012, and none of them occurs: its other words would find others. */
  exactIds?: boolean;
}

export interface SearchHit {
  /** From 0 to 1; 1 for the entity whose id was asked for. */
  score: number;
  group: string;
  entity_id: string;
  entity_type: string;
  name: string;
  text: string;
  valid_at: string;
}

/** An entity by scope (the project, or empty for the system) and id, whether it has an episode or not. */
export interface EntityRef {
  scope: string;
  id: string;
}

export interface RelationInput {
  from: EntityRef;
  relation: string;
  to: EntityRef;
  valid_at?: string;
}

export interface NeighbourOptions extends ReadOptions {
  /** How many steps to walk; 1 unless said, 10 at most. */
  depth?: number;
  relation?: string;
}

export interface Neighbour extends EntityRef {
  relation: string;
  /** `out`: the step led from the nearer entity to this one; `in`: against the arrow. */
  direction: 'out' | 'in';
  depth: number;
  /** The entity one step nearer to the start. */
  via: EntityRef;
}

export interface GroupCount {
  group: string;
  /** Current episodes. */
  episodes: number;
  /** All versions, closed ones included. */
  versions: number;
}

export interface StoreInfo {
  backend: 'sqlite' | 'postgres';
  /** A file, or a server without its password. */
  location: string;
  sizeBytes: number;
  schemaVersion: number;
  embeddings: { enabled: false } | { enabled: true; model: string; embedded: number; pending: number };
}

export type ExportRecord = ({ kind: 'episode' } & Episode) | ({ kind: 'edge' } & Edge);

export interface ImportReport {
  /** Versions and edges that were not here yet. */
  added: number;
  /** Already here, by uuid or as the same current content. */
  unchanged: number;
}

/**
 * A write that is part of a numbered stream: it is carried out once, however often and by however many processes it
 * is delivered, and never after a later number of the same stream.
 */
export interface StreamPosition {
  stream: string;
  number: number;
}

export interface UpsertManyOptions {
  once?: StreamPosition;
}

/** Memory: current and past versions of entities, found by exact key, by field and by words. */
export interface EpisodeStore {
  readonly entityTypes: EntityRegistry;

  upsert(input: EpisodeInput): Promise<UpsertResult>;
  /** All of them or none. With `once`, undefined means that the stream was past this number already. */
  upsertMany(
    inputs: readonly EpisodeInput[],
    options?: UpsertManyOptions,
  ): Promise<UpsertResult[] | undefined>;

  get(group: string, entityId: string, options?: ReadOptions): Promise<Episode | undefined>;
  list(group: string, options?: ListOptions): Promise<Episode[]>;
  /** The highest by the type's own order (a turn's number), else the newest. */
  latest(group: string, options?: Pick<ListOptions, 'where' | 'asOf'>): Promise<Episode | undefined>;
  /** Every version, oldest first. */
  history(group: string, entityId: string): Promise<Episode[]>;
  /** Everything that an id names in these groups, short forms included. */
  find(entityId: string, options?: ReadOptions & { groups?: readonly string[] }): Promise<Episode[]>;
  search(query: string, options?: SearchOptions): Promise<SearchHit[]>;

  /** False if the relation was already there. */
  relate(relation: RelationInput): Promise<boolean>;
  neighbours(start: EntityRef, options?: NeighbourOptions): Promise<Neighbour[]>;

  /** Closes the current version; history stays. False if there was none. */
  delete(group: string, entityId: string): Promise<boolean>;
  /** Removes every version of a group for good, and says how many there were. */
  purge(group: string): Promise<number>;

  /** Makes the vectors that are missing, and says how many it made; none where no endpoint is configured. */
  embed(): Promise<number>;

  counts(): Promise<GroupCount[]>;
  info(): Promise<StoreInfo>;

  /** All versions, oldest first, then edges. */
  export(options?: { groups?: readonly string[] }): AsyncIterable<ExportRecord>;
  /** All of them or none. */
  import(records: readonly ExportRecord[]): Promise<ImportReport>;

  close(): Promise<void>;
}

/** For a store that is used after it was closed. */
export function storeClosed(location: string): GuardKitError {
  return new GuardKitError({
    code: 'store.closed',
    kind: 'input',
    message: `The episode store ${location} was closed already.`,
    hint: 'Open it again, or close it after the last use.',
  });
}
