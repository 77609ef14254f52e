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
 * The time a read looks back to. A plain time asks what was true then, as known today; `knownAt` asks what the store
 * would have answered then.
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

/** Columns of every episode that can be filtered and sorted by, like declared fields. */
export const EPISODE_FIELDS = ['entity_id', 'entity_type', 'source', 'valid_at', 'created_at'] as const;

export interface ListOptions extends ReadOptions {
  where?: readonly Filter[];
  /** Default: newest first. Ties are always newest first. */
  orderBy?: { field: string; direction: 'asc' | 'desc' };
  limit?: number;
  offset?: number;
}

export interface SearchOptions extends ReadOptions {
  /** Default: all groups. */
  groups?: readonly string[];
  /** Filters that every hit must match. Needs named groups, all of which declare these fields. */
  where?: readonly Filter[];
  /** Default: 10; at most 1000. */
  limit?: number;
  /**
   * Return nothing if the query names ids, such as TASK-012, and none of them occurs; its other words would match
   * unrelated entities.
   */
  exactIds?: boolean;
}

export interface SearchHit {
  /** From 0 to 1; 1 for an entity found by its id. */
  score: number;
  group: string;
  entity_id: string;
  entity_type: string;
  name: string;
  text: string;
  valid_at: string;
}

/** An entity by scope (the project, or empty for the system) and id, with or without an episode. */
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
  /** Steps to walk. Default: 1; at most 10. */
  depth?: number;
  relation?: string;
}

export interface Neighbour extends EntityRef {
  relation: string;
  /** `out`: the edge leads from the nearer entity to this one; `in`: the opposite direction. */
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
  /** Versions and edges that were new here. */
  added: number;
  /** Already here, by uuid or as the same current content. */
  unchanged: number;
}

/**
 * A write that is part of a numbered stream: applied once, however often and by however many processes it is
 * delivered, and never after a later number of the same stream.
 */
export interface StreamPosition {
  stream: string;
  number: number;
  /** Hash of the chain up to this number; a store on another machine keeps it. */
  hash?: string | undefined;
}

/** A position of a chain that a store on another machine recorded. */
export interface StreamAnchor {
  number: number;
  hash: string;
  at: string;
}

export interface UpsertManyOptions {
  once?: StreamPosition;
}

/** Memory: current and past versions of entities, found by key, by field and by words. */
export interface EpisodeStore {
  readonly entityTypes: EntityRegistry;

  upsert(input: EpisodeInput): Promise<UpsertResult>;
  /** All or none. With `once`, undefined means that the stream was already past this number. */
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
  /** All entities that an id names in these groups, including short forms. */
  find(entityId: string, options?: ReadOptions & { groups?: readonly string[] }): Promise<Episode[]>;
  search(query: string, options?: SearchOptions): Promise<SearchHit[]>;

  /** False if the relation already exists. */
  relate(relation: RelationInput): Promise<boolean>;
  neighbours(start: EntityRef, options?: NeighbourOptions): Promise<Neighbour[]>;

  /** Closes the current version; history stays. False if there was none. */
  delete(group: string, entityId: string): Promise<boolean>;
  /** Deletes every version of a group permanently and returns their number. */
  purge(group: string): Promise<number>;

  /** The recorded positions of a stream, oldest first. Only a store on another machine has them. */
  readonly anchors?: (stream: string) => Promise<StreamAnchor[]>;

  /** Creates the missing vectors and returns their number; 0 without a configured endpoint. */
  embed(): Promise<number>;

  counts(): Promise<GroupCount[]>;
  info(): Promise<StoreInfo>;

  /** All versions, oldest first, then edges. */
  export(options?: { groups?: readonly string[] }): AsyncIterable<ExportRecord>;
  /** All or none. */
  import(records: readonly ExportRecord[]): Promise<ImportReport>;

  close(): Promise<void>;
}

/** The error for using a store after closing it. */
export function storeClosed(location: string): GuardKitError {
  return new GuardKitError({
    code: 'store.closed',
    kind: 'input',
    message: `The episode store ${location} is already closed.`,
    hint: 'Open it again, or close it after the last use.',
  });
}
