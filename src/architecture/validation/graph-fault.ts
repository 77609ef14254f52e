import { nearestWord } from '../../domain/nearest-word.ts';
import { type ArchitectureEdge, type ArchitectureGraph, attributeOf } from '../graph/architecture-graph.ts';
import { type KnowledgeSchema, toKebabCase } from '../schema/knowledge-schema.ts';

/** A fault in a graph, or a warning that a person should check. */
export interface GraphFault {
  code: string;
  severity: 'fault' | 'warning';
  line: number;
  column: number;
  /** The node or edge it concerns. */
  node?: string;
  edge?: { from: string; to: string; relation?: string };
  /** The field it concerns, its value, and the value that was probably meant. */
  field?: string;
  found?: string;
  nearest?: string;
  message: string;
}

/** Identifies a fault regardless of its position, which may change. */
export function faultKey({ code, node, edge, field, found }: GraphFault): string {
  return JSON.stringify([code, node, edge?.from, edge?.to, edge?.relation, field, found]);
}

export function formatGraphFault(file: string, { line, column, message }: GraphFault): string {
  return `${file}:${line}:${column}: ${message}`;
}

export interface ValidationFacts {
  /** Paths of nodes that do not exist in the repository. */
  missingPaths?: ReadonlySet<string>;
  /** Ids from before the change; only new ids must be kebab-case. */
  oldIds?: ReadonlySet<string>;
}

/** Reports a fault by offset; line and column are computed at the end. */
export type Report = (offset: number, fault: Omit<GraphFault, 'line' | 'column'>) => void;

/** Input of every rule. */
export interface ValidationContext {
  graph: ArchitectureGraph;
  schema: KnowledgeSchema;
  facts: ValidationFacts;
  nearest: NearestIds;
  report: Report;
  /** Whether the limit of reports is reached. */
  isFull(): boolean;
}

/** A value from the file, shortened for a message. */
export function shown(value: string): string {
  const line = value.replaceAll(/\s+/g, ' ');
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}

interface ComparedFaults {
  /** New faults, which are refused. */
  added: GraphFault[];
  /** Faults that existed before. */
  remaining: GraphFault[];
}

/**
 * Separates new faults from existing ones. Refusing only new faults lets a broken graph be repaired step by step. `renamed`
 * maps old ids to new ones.
 */
export function compareFaults(
  before: readonly GraphFault[],
  after: readonly GraphFault[],
  renamed: ReadonlyMap<string, string> = new Map(),
): ComparedFaults {
  const known = new Map<string, number>();
  for (const fault of before) {
    const key = faultKey(rename(fault, renamed));
    known.set(key, (known.get(key) ?? 0) + 1);
  }
  const added: GraphFault[] = [];
  const remaining: GraphFault[] = [];
  for (const fault of after) {
    const key = faultKey(fault);
    const left = known.get(key) ?? 0;
    if (left > 0) known.set(key, left - 1);
    (left > 0 ? remaining : added).push(fault);
  }
  return { added, remaining };
}

function rename(fault: GraphFault, renamed: ReadonlyMap<string, string>): GraphFault {
  if (renamed.size === 0) return fault;
  const now = (id: string) => renamed.get(id) ?? id;
  return {
    ...fault,
    ...(fault.node === undefined ? {} : { node: now(fault.node) }),
    ...(fault.edge ? { edge: { ...fault.edge, from: now(fault.edge.from), to: now(fault.edge.to) } } : {}),
    ...(fault.code === 'edge.end' && fault.found !== undefined ? { found: now(fault.found) } : {}),
  };
}

export function namedEdge(edge: ArchitectureEdge): { from: string; to: string; relation?: string } {
  const relation = attributeOf(edge, 'relation');
  return { from: edge.from, to: edge.to, ...(relation === undefined ? {} : { relation }) };
}

export function describeEdge({ from, to }: Pick<ArchitectureEdge, 'from' | 'to'>): string {
  return `edge ${shown(from)} -> ${shown(to)}`;
}

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
