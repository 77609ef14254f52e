import {
  type ArchitectureEdge,
  type ArchitectureGraph,
  type ArchitectureNode,
  attributeOf,
} from '../graph/architecture-graph.ts';
import { TermMatcher } from './term-matcher.ts';

/** Weight of a term in the id; elsewhere in the node it is 1. */
const HEAD_WEIGHT = 3;
const FIELDS = ['description', 'tag', 'component', 'path', 'type'];
const MAX_FIELD = 2000;
// biome-ignore lint/suspicious/noControlCharactersInRegex: matches all of ASCII
const ASCII = /^[\u0000-\u007f]*$/;

/** Searches the nodes of a graph by text and by neighbour. */
export class GraphIndex {
  readonly graph: ArchitectureGraph;
  #edges: Map<string, ArchitectureEdge[]> | undefined;

  constructor(graph: ArchitectureGraph) {
    this.graph = graph;
  }

  edgesOf(id: string): readonly ArchitectureEdge[] {
    this.#edges ??= edgesByNode(this.graph.edges);
    return this.#edges.get(id) ?? [];
  }

  /** How well each node matches the terms, from 0 to 1; omits nodes without any of them. */
  score(terms: readonly string[]): Map<ArchitectureNode, number> {
    const counted = this.#count(terms);
    const holders = new Array<number>(terms.length).fill(0);
    for (const counts of counted.values()) {
      for (let term = 0; term < terms.length; term++) {
        if ((counts[term] ?? 0) > 0) holders[term] = (holders[term] ?? 0) + 1;
      }
    }
    // Rare terms count more.
    const weights = holders.map((count) => Math.log(1 + this.graph.nodes.size / (count + 1)) + 0.01);
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    const scores = new Map<ArchitectureNode, number>();
    for (const [node, counts] of counted) {
      let score = 0;
      for (let term = 0; term < terms.length; term++) {
        const count = counts[term] ?? 0;
        score += ((weights[term] ?? 0) / total) * (count / (count + 1));
      }
      scores.set(node, score);
    }
    return scores;
  }

  #count(terms: readonly string[]): Map<ArchitectureNode, number[]> {
    const counted = new Map<ArchitectureNode, number[]>();
    if (terms.length === 0) return counted;
    const countsOf = (node: ArchitectureNode) => {
      const known = counted.get(node);
      if (known) return known;
      const counts = new Array<number>(terms.length).fill(0);
      counted.set(node, counts);
      return counts;
    };
    const matcher = new TermMatcher(terms);
    const { text, nodes, starts } = this.#joinedText(({ node, texts }) => {
      const counts = new Array<number>(terms.length).fill(0);
      const found = texts.filter((one, index) => matcher.match(one, index === 0 ? HEAD_WEIGHT : 1, counts));
      if (found.length > 0) counted.set(node, counts);
    });
    let at = 0;
    matcher.find(text, (place, found) => {
      if (place < (starts[at] ?? 0)) at = 0;
      while ((starts[at + 1] ?? Number.POSITIVE_INFINITY) <= place) at++;
      const node = nodes[at];
      if (!node) return;
      const counts = countsOf(node);
      const isHead = place < (starts[at] ?? 0) + Math.min(node.id.length, MAX_FIELD);
      for (const term of found) counts[term] = (counts[term] ?? 0) + (isHead ? HEAD_WEIGHT : 1);
    });
    return counted;
  }

  /** The text of all ASCII nodes as one string, with the offset of each. Passes all other nodes to `other`. */
  #joinedText(other: (entry: { node: ArchitectureNode; texts: string[] }) => void) {
    const parts: string[] = [];
    const nodes: ArchitectureNode[] = [];
    const starts: number[] = [];
    let length = 0;
    for (const node of this.graph.nodes.values()) {
      const texts = [node.id.slice(0, MAX_FIELD)];
      for (const field of FIELDS) {
        const text = attributeOf(node, field);
        if (text !== undefined) texts.push(text.length > MAX_FIELD ? text.slice(0, MAX_FIELD) : text);
      }
      const text = texts.join('\n');
      if (!ASCII.test(text)) {
        other({ node, texts });
        continue;
      }
      nodes.push(node);
      starts.push(length);
      parts.push(text);
      length += text.length + 1;
    }
    return { text: parts.join('\n'), nodes, starts };
  }
}

function edgesByNode(edges: readonly ArchitectureEdge[]): Map<string, ArchitectureEdge[]> {
  const found = new Map<string, ArchitectureEdge[]>();
  const add = (id: string, edge: ArchitectureEdge) => {
    const known = found.get(id);
    if (known) known.push(edge);
    else found.set(id, [edge]);
  };
  for (const edge of edges) {
    add(edge.from, edge);
    if (edge.from !== edge.to) add(edge.to, edge);
  }
  return found;
}
