import type { Episode } from '../../domain/entities/episode.ts';
import { projectGroup } from '../../domain/entities/group.ts';
import { type StoredTrace, traceSchema } from '../../domain/entities/trace.ts';
import type { EpisodeStore } from '../../store/episode-store.ts';
import { fitsQuery, isNarrow, type TraceQuery, traceFilters } from './trace-query.ts';

export type { TraceQuery } from './trace-query.ts';

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
