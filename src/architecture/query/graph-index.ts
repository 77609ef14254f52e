import { analyzeDocument } from '../../store/search/analyze.ts';
import {
  type ArchitectureEdge,
  type ArchitectureGraph,
  type ArchitectureNode,
  attributeOf,
} from '../graph/architecture-graph.ts';

/** What a term in the id says, beside one in the rest of a node. */
const HEAD_WEIGHT = 3;

/** The nodes of a graph by their terms and by their neighbours. */
export class GraphIndex {
  readonly graph: ArchitectureGraph;
  readonly #edgesOf = new Map<string, ArchitectureEdge[]>();
  readonly #postings = new Map<string, Map<ArchitectureNode, number>>();

  constructor(graph: ArchitectureGraph) {
    this.graph = graph;
    for (const edge of graph.edges) {
      for (const id of edge.from === edge.to ? [edge.from] : [edge.from, edge.to]) {
        const known = this.#edgesOf.get(id);
        if (known) known.push(edge);
        else this.#edgesOf.set(id, [edge]);
      }
    }
    for (const node of graph.nodes.values()) {
      const text = ['description', 'tag', 'component', 'path', 'type']
        .map((name) => attributeOf(node, name)?.slice(0, 2000) ?? '')
        .join(' ');
      const terms = analyzeDocument(node.id, text);
      for (const term of terms.text) this.#post(term, node, 1);
      for (const term of terms.head) this.#post(term, node, HEAD_WEIGHT);
    }
  }

  edgesOf(id: string): readonly ArchitectureEdge[] {
    return this.#edgesOf.get(id) ?? [];
  }

  /** How well each node answers to the terms, from 0 to 1; nodes that hold none of them are left out. */
  score(terms: readonly string[]): Map<ArchitectureNode, number> {
    const scores = new Map<ArchitectureNode, number>();
    const weights = terms.map((term) => this.#rarity(term));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    terms.forEach((term, index) => {
      for (const [node, count] of this.#postings.get(term) ?? []) {
        const share = ((weights[index] ?? 0) / total) * (count / (count + 1));
        scores.set(node, (scores.get(node) ?? 0) + share);
      }
    });
    return scores;
  }

  #rarity(term: string): number {
    const count = this.#postings.get(term)?.size ?? 0;
    return Math.log(1 + this.graph.nodes.size / (count + 1)) + 0.01;
  }

  #post(term: string, node: ArchitectureNode, weight: number): void {
    const posting = this.#postings.get(term) ?? new Map<ArchitectureNode, number>();
    if (posting.size === 0) this.#postings.set(term, posting);
    posting.set(node, (posting.get(node) ?? 0) + weight);
  }
}
