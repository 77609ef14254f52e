import { type ArchitectureEdge, type ArchitectureGraph, attributeOf } from '../graph/architecture-graph.ts';
import type { KnowledgeSchema } from '../schema/knowledge-schema.ts';
import type { NearestIds } from './nearest-ids.ts';

/** Something that is wrong in a graph, or that a person should look at. */
export interface GraphFault {
  code: string;
  severity: 'fault' | 'warning';
  line: number;
  column: number;
  /** The node it is about; of an edge, its two nodes and its relation. */
  node?: string;
  edge?: { from: string; to: string; relation?: string };
  /** The field it is about, what stands there, and what was probably meant. */
  field?: string;
  found?: string;
  nearest?: string;
  message: string;
}

/** What a fault says, without where: the same fault may move in a file. */
export function faultKey({ code, node, edge, field, found }: GraphFault): string {
  return JSON.stringify([code, node, edge?.from, edge?.to, edge?.relation, field, found]);
}

export function formatGraphFault(file: string, { line, column, message }: GraphFault): string {
  return `${file}:${line}:${column}: ${message}`;
}

export interface ValidationFacts {
  /** Paths that nodes name and the repository does not have. */
  missingPaths?: ReadonlySet<string>;
  /** Ids that were there before: a new one has to be in kebab-case, an old one may be as it is. */
  oldIds?: ReadonlySet<string>;
}

/** What a rule reports; where it stands is an offset until all of them are known. */
export type Report = (offset: number, fault: Omit<GraphFault, 'line' | 'column'>) => void;

/** What every rule looks at. */
export interface Judged {
  graph: ArchitectureGraph;
  schema: KnowledgeSchema;
  facts: ValidationFacts;
  nearest: NearestIds;
  report: Report;
  /** There is no room for further reports. */
  isFull(): boolean;
}

/** A value of a file as a message shows it. */
export function shown(value: string): string {
  const line = value.replaceAll(/\s+/g, ' ');
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}

interface ComparedFaults {
  /** Not in the graph before: these are refused. */
  added: GraphFault[];
  /** There before, and still there. */
  remaining: GraphFault[];
}

/**
 * Which faults are new. A graph that is broken already can be mended step by step, if only what makes it worse is
 * refused. `renamed` tells what nodes are called now.
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
