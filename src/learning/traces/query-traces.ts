import type { Episode } from '../../domain/entities/episode.ts';
import { projectGroup } from '../../domain/entities/group.ts';
import {
  type StoredTrace,
  type TraceOutcome,
  type TraceSource,
  type TraceType,
  traceSchema,
} from '../../domain/entities/trace.ts';
import { isObject } from '../../domain/json/plain-shape.ts';
import type { EpisodeStore, Filter } from '../../store/episode-store.ts';

/** Filters for traces; omitted ones match all. */
export interface TraceQuery {
  /** Words to search for; without them, newest first. */
  text?: string | undefined;
  type?: TraceType | undefined;
  source?: TraceSource | undefined;
  outcome?: TraceOutcome | undefined;
  guard?: string | undefined;
  /** Exactly as in `attempted`. */
  attempted?: string | undefined;
  agent?: string | undefined;
  feature?: string | undefined;
  task?: string | undefined;
  session?: string | undefined;
  /** Not older than this time. */
  since?: string | undefined;
  /** Default: 10. */
  limit?: number | undefined;
}

const TOP_LEVEL = ['type', 'source', 'outcome', 'guard', 'attempted'] as const;
const CONTEXT = ['agent', 'feature', 'task', 'session'] as const;

/** Fields with few traces per value. */
const NARROW = ['attempted', 'feature', 'task', 'session'] as const;

/** Whether few traces can match, so that the index finds them at once. */
function isNarrow(query: TraceQuery): boolean {
  return query.outcome === 'noticed' || NARROW.some((field) => query[field] !== undefined);
}

/** The filters without the words, for the store. */
function traceFilters(query: TraceQuery): Filter[] {
  const filters: Filter[] = [...TOP_LEVEL, ...CONTEXT].flatMap((field) => {
    const value = query[field];
    return value === undefined ? [] : [{ field, op: 'eq', value }];
  });
  return query.since === undefined
    ? filters
    : [...filters, { field: 'valid_at', op: 'gte', value: query.since }];
}

/** The same filters, for a trace in memory. */
function matchesQuery({ body, valid_at }: Episode, query: TraceQuery): boolean {
  if (query.since !== undefined && valid_at < query.since) return false;
  const { context } = body;
  const around = isObject(context) ? context : {};
  return (
    TOP_LEVEL.every((field) => query[field] === undefined || body[field] === query[field]) &&
    CONTEXT.every((field) => query[field] === undefined || around[field] === query[field])
  );
}

export interface FoundTrace extends StoredTrace {
  /** How well it matches the words, from 0 to 1; omitted without words. */
  score?: number;
}

export type TraceStore = Pick<EpisodeStore, 'get' | 'list' | 'search'>;

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 500;
/** How many recent traces are scanned for matches. */
const MAX_SCANNED = 200;
const PAGE = 100;

/** The matching traces of a project: best first with words, else newest first. */
export async function queryTraces(
  store: TraceStore,
  project: string,
  query: TraceQuery = {},
): Promise<FoundTrace[]> {
  const limit = Math.min(Math.max(1, Math.trunc(query.limit ?? DEFAULT_LIMIT)), MAX_LIMIT);
  const text = query.text?.trim() ?? '';
  if (text !== '') return byWords(store, project, { ...query, text }, limit);
  const episodes = isNarrow(query)
    ? await store.list(projectGroup(project, 'traces'), { where: traceFilters(query), limit })
    : await newest(store, project, query, limit);
  return episodes.flatMap((episode) => readStored(project, episode) ?? []);
}

async function byWords(
  store: TraceStore,
  project: string,
  query: TraceQuery & { text: string },
  limit: number,
): Promise<FoundTrace[]> {
  const group = projectGroup(project, 'traces');
  const hits = await store.search(query.text, { groups: [group], where: traceFilters(query), limit });
  const found: FoundTrace[] = [];
  // One by one: the store finds single ids faster than a list of ids.
  for (const { entity_id, score } of hits) {
    const episode = await store.get(group, entity_id);
    const trace = episode && readStored(project, episode);
    if (trace) found.push({ ...trace, score });
  }
  return found;
}

/** Frequent matches are found fastest among the newest; the index is used only if these are too few. */
async function newest(
  store: TraceStore,
  project: string,
  query: TraceQuery,
  limit: number,
): Promise<Episode[]> {
  const group = projectGroup(project, 'traces');
  const filters = traceFilters(query);
  if (filters.length === 0) return store.list(group, { limit });
  const found: Episode[] = [];
  for (let offset = 0; offset < Math.max(MAX_SCANNED, 2 * limit); offset += PAGE) {
    const page = await store.list(group, { limit: PAGE, offset });
    found.push(...page.filter((episode) => matchesQuery(episode, query)));
    if (found.length >= limit || page.length < PAGE) return found.slice(0, limit);
  }
  return store.list(group, { where: filters, limit });
}

export async function readTrace(
  store: Pick<EpisodeStore, 'get'>,
  project: string,
  id: string,
): Promise<StoredTrace | undefined> {
  const episode = await store.get(projectGroup(project, 'traces'), id);
  return episode && readStored(project, episode);
}

/** Undefined if another version of guardkit wrote it in another format. */
function readStored(project: string, { entity_id, valid_at, body }: Episode): StoredTrace | undefined {
  const parsed = traceSchema.safeParse(body);
  return parsed.success ? { id: entity_id, project, timestamp: valid_at, ...parsed.data } : undefined;
}
