import { nearestWord } from '../../domain/nearest-word.ts';
import type { ArchitectureGraph } from '../graph/architecture-graph.ts';
import { toKebabCase } from '../schema/knowledge-schema.ts';

/** Limit for files with thousands of wrong names. */
const MAX_GUESSES = 50;
const MAX_COMPARED = 300;

/** Guesses which node a wrong name was meant to be. */
export class NearestIds {
  readonly #graph: ArchitectureGraph;
  readonly #guesses = new Map<string, string | undefined>();

  constructor(graph: ArchitectureGraph) {
    this.#graph = graph;
  }

  of(id: string): string | undefined {
    if (!this.#guesses.has(id) && this.#guesses.size < MAX_GUESSES) this.#guesses.set(id, this.#guess(id));
    return this.#guesses.get(id);
  }

  #guess(id: string): string | undefined {
    const { nodes } = this.#graph;
    const kebab = toKebabCase(id);
    if (kebab !== id && nodes.get(kebab)?.declared) return kebab;
    // Everything is similar to such a short name.
    if (id.length < 3) return undefined;
    const similar: string[] = [];
    for (const node of nodes.values()) {
      const isSimilar = node.declared && node.id !== id && Math.abs(node.id.length - id.length) < 4;
      if (isSimilar && similar.push(node.id) >= MAX_COMPARED) break;
    }
    return nearestWord(id, similar);
  }
}
