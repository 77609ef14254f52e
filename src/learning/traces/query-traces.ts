import type { Episode } from '../../domain/episode.ts';
import { projectGroup } from '../../domain/group.ts';
import { type StoredTrace, traceSchema } from '../../domain/trace.ts';
import type { EpisodeStore } from '../../store/episode-store.ts';
import { type TraceQuery, traceFilters } from './trace-query.ts';

export type { TraceQuery } from './trace-query.ts';

export interface FoundTrace extends StoredTrace {
  /** How well it fits the words, from 0 to 1; left out where none were given. */
  score?: number;
}

type TraceStore = Pick<EpisodeStore, 'list' | 'search'>;

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 500;
/** How many are looked through for those that fit the rest of the question. */
const SEARCHED = 200;

/** The traces of a project that fit: the best first where words are given, else the newest. */
export async function queryTraces(
  store: TraceStore,
  project: string,
  query: TraceQuery = {},
): Promise<FoundTrace[]> {
  const limit = Math.min(Math.max(1, Math.trunc(query.limit ?? DEFAULT_LIMIT)), MAX_LIMIT);
  const group = projectGroup(project, 'traces');
  const filters = traceFilters(query);
  const text = query.text?.trim() ?? '';
  if (text === '') {
    const orderBy = { field: 'valid_at', direction: 'desc' } as const;
    const episodes = await store.list(group, { where: filters, orderBy, limit });
    return episodes.flatMap((episode) => readStored(project, episode) ?? []);
  }
  const hits = await store.search(text, {
    groups: [group],
    limit: filters.length === 0 ? limit : Math.max(limit, SEARCHED),
  });
  if (hits.length === 0) return [];
  const scores = new Map(hits.map(({ entity_id, score }) => [entity_id, score]));
  const where = [{ field: 'entity_id', op: 'in', value: [...scores.keys()] } as const, ...filters];
  const episodes = await store.list(group, { where, limit: hits.length });
  return episodes
    .flatMap((episode) => readStored(project, episode) ?? [])
    .map((trace): FoundTrace => ({ ...trace, score: scores.get(trace.id) ?? 0 }))
    .sort((a, b) => (b.score ?? 0) - (a.score ?? 0) || (a.timestamp < b.timestamp ? 1 : -1))
    .slice(0, limit);
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
