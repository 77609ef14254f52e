import { LineIndex } from '../dot/line-index.ts';
import type { ArchitectureGraph } from '../graph/architecture-graph.ts';
import type { KnowledgeSchema } from '../schema/knowledge-schema.ts';
import { edgeFaults } from './edge-faults.ts';
import type { GraphFault, Report, ValidationFacts } from './graph-fault.ts';
import { NearestIds } from './nearest-ids.ts';
import { nodeFaults } from './node-faults.ts';
import { structureWarnings } from './structure-warnings.ts';

/** More than anybody reads, and what a hostile file can make us keep. */
const MAX_FAULTS = 20_000;
const TOO_MANY = {
  code: 'graph.too-many-faults',
  severity: 'fault',
  message: `there are more than ${MAX_FAULTS} faults and warnings; these are the first`,
} as const;

export interface Validation {
  faults: GraphFault[];
  warnings: GraphFault[];
}

/** All that is wrong with a graph, at once and in the order of the file. */
export function validateGraph(
  graph: ArchitectureGraph,
  schema: KnowledgeSchema,
  facts: ValidationFacts = {},
): Validation {
  const reported: { offset: number; fault: Omit<GraphFault, 'line' | 'column'> }[] = [];
  const report: Report = (offset, fault) => {
    if (reported.length < MAX_FAULTS) reported.push({ offset, fault });
    else if (reported.length === MAX_FAULTS) reported.push({ offset, fault: TOO_MANY });
  };
  const nearest = new NearestIds(graph);
  const judged = { graph, schema, facts, nearest, report, isFull: () => reported.length > MAX_FAULTS };
  for (const node of graph.nodes.values()) {
    if (judged.isFull()) break;
    nodeFaults(node, judged);
  }
  edgeFaults(judged);
  structureWarnings(graph, report);
  const lines = new LineIndex(graph.text);
  const all = reported
    .sort((a, b) => a.offset - b.offset)
    .map(({ offset, fault }): GraphFault => ({ ...fault, ...lines.placeOf(offset) }));
  return {
    faults: all.filter(({ severity }) => severity === 'fault'),
    warnings: all.filter(({ severity }) => severity === 'warning'),
  };
}
