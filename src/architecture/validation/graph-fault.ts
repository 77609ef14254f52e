import type { ArchitectureGraph } from '../graph/architecture-graph.ts';
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
