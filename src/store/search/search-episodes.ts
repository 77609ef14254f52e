import type { EntityRegistry } from '../../domain/entities/entity-type.ts';
import { isEntityId } from '../../domain/entities/entity-type.ts';
import type { SearchHit, SearchOptions } from '../episode-store.ts';
import { type EpisodeRow, searchText, toTimestamp } from '../read-episode.ts';
import { analyzeQuery, idsInQuery } from './analyze.ts';
import { type RankedDocument, rankDocuments } from './rank-documents.ts';
import type { SearchIndex } from './search-index.ts';

export type KeyedRow = EpisodeRow & { key: number };

/** One search's view of a backend. */
export interface SearchSource {
  index: SearchIndex;
  registry: EntityRegistry;
  /** The entities that these ids name, in order, including short forms. */
  find(entityIds: readonly string[]): Promise<KeyedRow[]>;
  rows(keys: readonly number[]): Promise<KeyedRow[]>;
  /** Semantic similarity by key, from 0 to 1; undefined without vectors or if the endpoint does not answer. */
  similarities?(query: string): Promise<ReadonlyMap<number, number> | undefined>;
}

/** Above this share, weak embedding models make results worse. */
const VECTOR_WEIGHT = 0.2;
const MAX_LIMIT = 1000;
const MAX_IDS = 16;

export async function searchEpisodes(
  source: SearchSource,
  query: string,
  { limit = 10, exactIds = false }: Pick<SearchOptions, 'limit' | 'exactIds'> = {},
): Promise<SearchHit[]> {
  const wanted = Math.min(Math.max(0, Math.trunc(limit)), MAX_LIMIT);
  // Started first and awaited last: the endpoint works during the lexical search.
  const similarities = source.similarities?.(query);
  similarities?.catch(() => {});
  const named = await namedRows(source, query);
  if (exactIds && named.length === 0 && !(await holdsAnyId(source.index, query))) return [];
  const ranked = await rankDocuments(source.index, analyzeQuery(query), wanted + named.length);
  const fused = fuse(ranked, await similarities);
  const others = fused.filter(({ key }) => !named.some((row) => row.key === key)).slice(0, wanted);
  const rows = new Map((await source.rows(others.map(({ key }) => key))).map((row) => [row.key, row]));
  const hits = named.map((row) => toHit(row, 1, source.registry));
  for (const { key, score } of others) {
    const row = rows.get(key);
    if (row) hits.push(toHit(row, score, source.registry));
  }
  return hits.slice(0, wanted);
}

/** Whether any id of the query occurs; true for a query without ids. */
async function holdsAnyId(index: SearchIndex, query: string): Promise<boolean> {
  const sets = idsInQuery(query).flat();
  if (sets.length === 0) return true;
  const found = await (index.filter ?? index).matches(sets, 1);
  return found.some((keys) => keys.length > 0);
}

/** Entities that the query names by id: the whole query first, then each word. */
async function namedRows(source: SearchSource, query: string): Promise<KeyedRow[]> {
  const words = query.split(/[\s"'`,;()[\]{}<>?!]+/, 200).filter((word) => word.length >= 3);
  const ids = [...new Set([query.trim(), ...words.flatMap((word) => [word, word.replace(/[.:]+$/, '')])])];
  const found = await source.find(ids.filter(isEntityId).slice(0, MAX_IDS));
  const rows = new Map(found.map((row) => [row.key, row]));
  const { filter } = source.index;
  if (!filter || rows.size === 0) return [...rows.values()];
  const fitting = new Set(await filter.among([...rows.keys()]));
  return [...rows.values()].filter(({ key }) => fitting.has(key));
}

function fuse(
  ranked: readonly RankedDocument[],
  similarities: ReadonlyMap<number, number> | undefined,
): RankedDocument[] {
  if (!similarities) return [...ranked];
  const lexical = new Map(ranked.map(({ key, score }) => [key, score]));
  const keys = new Set([...lexical.keys(), ...similarities.keys()]);
  return [...keys]
    .map((key) => ({
      key,
      score: (1 - VECTOR_WEIGHT) * (lexical.get(key) ?? 0) + VECTOR_WEIGHT * (similarities.get(key) ?? 0),
    }))
    .sort((a, b) => b.score - a.score || b.key - a.key);
}

function toHit(row: EpisodeRow, score: number, registry: EntityRegistry): SearchHit {
  return {
    // Rounded, so that adding in another order does not give another score.
    score: Math.round(Math.min(1, Math.max(0, score)) * 10_000) / 10_000,
    group: row.group_name,
    entity_id: row.entity_id,
    entity_type: row.entity_type,
    name: row.name,
    text: searchText(row, registry),
    valid_at: toTimestamp(row.valid_at),
  };
}
