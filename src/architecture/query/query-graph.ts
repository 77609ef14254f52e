import { analyzeQuery } from '../../store/search/analyze.ts';
import {
  type ArchitectureEdge,
  type ArchitectureGraph,
  type ArchitectureNode,
  attributeOf,
} from '../graph/architecture-graph.ts';
import { GraphIndex } from './graph-index.ts';

/** Search conditions; all given ones must match. */
export interface GraphQuery {
  text?: string | undefined;
  type?: string | undefined;
  tag?: string | undefined;
  status?: string | undefined;
  /** Nodes at either end of an edge with this relation. */
  relation?: string | undefined;
  /** Also include nodes up to this many edges away from the matches. */
  depth?: number | undefined;
  limit?: number | undefined;
}

export interface QueryHit {
  node: ArchitectureNode;
  /** From 0 to 1; lower for neighbours with every edge. */
  score: number;
  /** Number of edges to the nearest match; 0 for a match. */
  distance: number;
}

export interface QueryResult {
  hits: QueryHit[];
  /** Edges between the hits. */
  edges: ArchitectureEdge[];
  /** Number of hits without the limit. */
  total: number;
}

export const DEFAULT_LIMIT = 20;
const MAX_DEPTH = 10;
const FADING = 0.5;

/** The nodes that match a query, best first, and the edges between them. */
export function queryGraph(graph: ArchitectureGraph, query: GraphQuery): QueryResult {
  const index = new GraphIndex(graph);
  const hits = firstHits(index, query);
  const all = [
    ...withNeighbours(index, hits, Math.min(query.depth ?? 0, MAX_DEPTH), query.relation).values(),
  ].sort((a, b) => b.score - a.score || a.distance - b.distance || (a.node.id < b.node.id ? -1 : 1));
  const shown = all.slice(0, query.limit ?? DEFAULT_LIMIT);
  const ids = new Set(shown.map(({ node }) => node.id));
  return {
    hits: shown,
    edges: graph.edges.filter(
      (edge) => ids.has(edge.from) && ids.has(edge.to) && isOfRelation(edge, query.relation),
    ),
    total: all.length,
  };
}

function firstHits(index: GraphIndex, query: GraphQuery): QueryHit[] {
  const { text, type, tag, status, relation } = query;
  const exact = text === undefined ? undefined : index.graph.nodes.get(text.trim());
  const terms = text === undefined ? [] : analyzeQuery(text);
  const scores = text === undefined ? undefined : index.score(terms);
  return [...index.graph.nodes.values()].flatMap((node) => {
    const score = node === exact ? 1 : scores === undefined ? 0.5 : scores.get(node);
    const fits =
      score !== undefined &&
      (type === undefined || attributeOf(node, 'type') === type) &&
      (tag === undefined || attributeOf(node, 'tag') === tag) &&
      (status === undefined || attributeOf(node, 'status') === status) &&
      (relation === undefined || index.edgesOf(node.id).some((edge) => isOfRelation(edge, relation)));
    return fits ? [{ node, score: Math.min(1, score), distance: 0 }] : [];
  });
}

function withNeighbours(
  index: GraphIndex,
  hits: readonly QueryHit[],
  depth: number,
  relation: string | undefined,
): Map<string, QueryHit> {
  const found = new Map(hits.map((hit) => [hit.node.id, hit]));
  let border: readonly QueryHit[] = hits;
  for (let distance = 1; distance <= depth && border.length > 0; distance++) {
    const next = new Map<string, QueryHit>();
    for (const { node, score } of border) {
      for (const edge of index.edgesOf(node.id)) {
        const other = index.graph.nodes.get(edge.from === node.id ? edge.to : edge.from);
        if (!other || found.has(other.id) || !isOfRelation(edge, relation)) continue;
        const faded = Math.max(score * FADING, next.get(other.id)?.score ?? 0);
        next.set(other.id, { node: other, score: faded, distance });
      }
    }
    for (const hit of next.values()) found.set(hit.node.id, hit);
    border = [...next.values()];
  }
  return found;
}

function isOfRelation(edge: ArchitectureEdge, relation: string | undefined): boolean {
  return relation === undefined || attributeOf(edge, 'relation') === relation;
}
