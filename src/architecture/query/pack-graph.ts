import { analyzeQuery } from '../../store/search/analyze.ts';
import { repositoryPath } from '../file/graph-file.ts';
import {
  type ArchitectureEdge,
  type ArchitectureGraph,
  type ArchitectureNode,
  attributeOf,
} from '../graph/architecture-graph.ts';
import { GraphIndex } from './graph-index.ts';

/** The task to find relevant nodes for. */
export interface PackRequest {
  /** Its title, description and criteria. */
  text?: string | undefined;
  /** Files that the task will probably change. */
  files?: readonly string[] | undefined;
  components?: readonly string[] | undefined;
  /** Approximate size in tokens (default: 1500). */
  budgetTokens?: number | undefined;
}

export interface KnowledgePack {
  /** Text for the prompt; empty if nothing in the graph is relevant. */
  text: string;
  /** Ids, by descending weight. */
  nodes: string[];
  edges: number;
  /** Relevant nodes that exceeded the budget. */
  leftOut: string[];
}

export const DEFAULT_BUDGET = 1500;
const CHARACTERS_PER_TOKEN = 4;
const MAX_DESCRIPTION = 300;
const MAX_EXAMPLE = 400;
const MIN_LINE = 40;
const NEIGHBOUR = 0.4;
const HEADING = 'Architecture of this project (from .maestro/knowledge.dot):';

/** The part of the graph that a task needs, as text within a budget. Always includes critical rules. */
export function packGraph(graph: ArchitectureGraph, request: PackRequest): KnowledgePack {
  const index = new GraphIndex(graph);
  const weights = weigh(index, request);
  const ranked = [...weights].sort(([a, x], [b, y]) => y - x || (a.id < b.id ? -1 : 1)).map(([node]) => node);
  let room = (request.budgetTokens ?? DEFAULT_BUDGET) * CHARACTERS_PER_TOKEN - HEADING.length;
  const chosen = new Map<string, string>();
  const leftOut: string[] = [];
  for (const node of ranked) {
    // No line fits in this little room, so do not format the remaining nodes.
    const lines = room < MIN_LINE && !isCriticalRule(node) ? undefined : nodeLines(node);
    if (lines === undefined || (lines.length + 1 > room && !isCriticalRule(node))) {
      leftOut.push(node.id);
      continue;
    }
    room -= lines.length + 1;
    chosen.set(node.id, lines);
  }
  const edges: string[] = [];
  for (const edge of graph.edges) {
    if (!chosen.has(edge.from) || !chosen.has(edge.to)) continue;
    const line = edgeLine(edge);
    if (line.length + 1 > room) continue;
    room -= line.length + 1;
    edges.push(line);
  }
  const text = chosen.size === 0 ? '' : [HEADING, ...chosen.values(), ...edges].join('\n');
  return { text, nodes: [...chosen.keys()], edges: edges.length, leftOut };
}

/** The relevance of each node to a task; omits irrelevant nodes. */
function weigh(index: GraphIndex, { text = '', files = [], components = [] }: PackRequest) {
  const weights = new Map<ArchitectureNode, number>();
  const raise = (node: ArchitectureNode, weight: number) =>
    weights.set(node, Math.max(weights.get(node) ?? 0, weight));
  const terms = analyzeQuery([text, ...components].join(' '));
  for (const [node, score] of index.score(terms)) if (score > 0.05) raise(node, Math.min(1, score));
  const named = new Set(components);
  for (const node of index.graph.nodes.values()) {
    if (!node.declared) continue;
    const path = attributeOf(node, 'path');
    if (path !== undefined && files.some((file) => isAbout(path, file))) raise(node, 1.5);
    if (named.has(node.id)) raise(node, 1.5);
    if (named.has(attributeOf(node, 'component') ?? '')) raise(node, 0.6);
  }
  const own = new Map(
    [...weights].flatMap(([{ id }, weight]) => (weight < 0.2 ? [] : [[id, weight] as const])),
  );
  if (own.size > 0) {
    const raiseNeighbour = (id: string, weight: number) => {
      const other = index.graph.nodes.get(id);
      if (other?.declared) raise(other, weight);
    };
    for (const edge of index.graph.edges) {
      const [from, to] = [own.get(edge.from), own.get(edge.to)];
      // A rule that a relevant node must follow is almost as relevant as the node.
      if (from !== undefined) raiseNeighbour(edge.to, from * (isBinding(edge) ? 0.95 : NEIGHBOUR));
      if (to !== undefined) raiseNeighbour(edge.from, to * NEIGHBOUR);
    }
  }
  for (const node of index.graph.nodes.values()) if (isCriticalRule(node)) raise(node, 2);
  return weights;
}

function isBinding(edge: ArchitectureEdge): boolean {
  const relation = attributeOf(edge, 'relation');
  return relation === 'must_follow' || relation === 'must_not_use';
}

function isCriticalRule(node: ArchitectureNode): boolean {
  const isRule = attributeOf(node, 'type') === 'rule' && attributeOf(node, 'priority') === 'critical';
  return isRule && attributeOf(node, 'status') === 'current';
}

/** Whether a node's path is this file or a folder that contains it. */
function isAbout(path: string, file: string): boolean {
  const inside = repositoryPath(path).replace(/\/$/, '');
  return inside !== '' && (file === inside || file.startsWith(`${inside}/`));
}

function nodeLines(node: ArchitectureNode): string {
  const status = attributeOf(node, 'status');
  const kind = [attributeOf(node, 'priority'), attributeOf(node, 'type') ?? 'node'].filter(Boolean).join(' ');
  const mark = status !== undefined && status !== 'current' ? `, ${status.toUpperCase()}` : '';
  const path = attributeOf(node, 'path');
  const component = attributeOf(node, 'component');
  const where = [path, component && `part of ${component}`].filter(Boolean).join(', ');
  const example = attributeOf(node, 'example');
  return [
    `- ${shorten(node.id, 100)} (${kind}${mark}): ${shorten(attributeOf(node, 'description') ?? '', MAX_DESCRIPTION)}`,
    ...(where ? [` [${shorten(where, 200)}]`] : []),
    ...(example ? [`\n  example: ${shorten(example, MAX_EXAMPLE)}`] : []),
  ].join('');
}

function edgeLine(edge: ArchitectureEdge): string {
  const note = attributeOf(edge, 'note');
  const relation = attributeOf(edge, 'relation') ?? 'is related to';
  return `- ${shorten(edge.from, 100)} ${shorten(relation, 60)} ${shorten(edge.to, 100)}${note ? ` (${shorten(note, 120)})` : ''}`;
}

/** On one line, so that a value cannot imitate another part of the prompt. */
function shorten(text: string, most: number): string {
  const line = text
    .slice(0, most * 2)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}
