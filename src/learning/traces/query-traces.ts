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

/** Which traces are wanted; what is left out does not matter. */
export interface TraceQuery {
  /** Words to find them by; left out, the newest come first. */
  text?: string | undefined;
  type?: TraceType | undefined;
  source?: TraceSource | undefined;
  outcome?: TraceOutcome | undefined;
  guard?: string | undefined;
  /** In the words of `attempted`. */
  attempted?: string | undefined;
  agent?: string | undefined;
  feature?: string | undefined;
  task?: string | undefined;
  session?: string | undefined;
  /** Not older than this time. */
  since?: string | undefined;
  /** 10 unless said. */
  limit?: number | undefined;
}

const OWN = ['type', 'source', 'outcome', 'guard', 'attempted'] as const;
const CONTEXT = ['agent', 'feature', 'task', 'session'] as const;

/** What few traces have in common. */
const NARROW = ['attempted', 'feature', 'task', 'session'] as const;

/** Few traces can fit, so that the index leads to them at once. */
function isNarrow(query: TraceQuery): boolean {
  return query.outcome === 'noticed' || NARROW.some((field) => query[field] !== undefined);
}

/** The question without its words, as the store asks it. */
function traceFilters(query: TraceQuery): Filter[] {
  const filters: Filter[] = [...OWN, ...CONTEXT].flatMap((field) => {
    const value = query[field];
    return value === undefined ? [] : [{ field, op: 'eq', value }];
  });
  return query.since === undefined
    ? filters
    : [...filters, { field: 'valid_at', op: 'gte', value: query.since }];
}

/** The same question of a trace that is at hand. */
function fitsQuery({ body, valid_at }: Episode, query: TraceQuery): boolean {
  if (query.since !== undefined && valid_at < query.since) return false;
  const { context } = body;
  const around = isObject(context) ? context : {};
  return (
    OWN.every((field) => query[field] === undefined || body[field] === query[field]) &&
    CONTEXT.every((field) => query[field] === undefined || around[field] === query[field])
  );
}

export interface FoundTrace extends StoredTrace {
  /** How well it fits the words, from 0 to 1; left out where none were given. */
  score?: number;
}

export type TraceStore = Pick<EpisodeStore, 'get' | 'list' | 'search'>;

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 500;
/** How many are looked through for those that fit the rest of the question. */
const LOOKED_THROUGH = 200;
const PAGE = 100;

/** The traces of a project that fit: the best first where words are given, else the newest. */
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
  // One by one: the store finds one by its id sooner than many by a list of ids.
  for (const { entity_id, score } of hits) {
    const episode = await store.get(group, entity_id);
    const trace = episode && readStored(project, episode);
    if (trace) found.push({ ...trace, score });
  }
  return found;
}

/** What fits many is found soonest among the newest; only where they do not have enough of it is the index asked. */
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
  for (let offset = 0; offset < Math.max(LOOKED_THROUGH, 2 * limit); offset += PAGE) {
    const page = await store.list(group, { limit: PAGE, offset });
    found.push(...page.filter((episode) => fitsQuery(episode, query)));
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

/** Undefined for what another version of guardkit may have written. */
function readStored(project: string, { entity_id, valid_at, body }: Episode): StoredTrace | undefined {
  const parsed = traceSchema.safeParse(body);
  return parsed.success ? { id: entity_id, project, timestamp: valid_at, ...parsed.data } : undefined;
}
