import { readGraph } from '../graph/read-graph.ts';
import type { KnowledgeSchema } from '../schema/knowledge-schema.ts';
import type { GraphFault, ValidationFacts } from './graph-fault.ts';
import { compareFaults } from './graph-fault.ts';
import { validateGraph } from './validate-graph.ts';

/** The graph file at the base and in the candidate; undefined if missing. */
export interface GraphChange {
  before: string | undefined;
  after: string | undefined;
}

export interface ChangeJudgement {
  verdict: 'skipped' | 'pass' | 'fail';
  why: string;
  /** Faults that the change added. */
  faults: GraphFault[];
  /** Faults that the base already had. */
  remaining: GraphFault[];
  warnings: GraphFault[];
}

/** Checks that a change leaves the graph readable and adds no faults. */
export function judgeChange(
  { before, after }: GraphChange,
  schema: KnowledgeSchema,
  facts: Pick<ValidationFacts, 'missingPaths'> = {},
): ChangeJudgement {
  const nothing = { faults: [], remaining: [], warnings: [] };
  if (before === after) {
    const why =
      before === undefined ? 'the project has no architecture graph' : 'the architecture graph is unchanged';
    return { verdict: 'skipped', why, ...nothing };
  }
  if (after === undefined) return { verdict: 'fail', why: 'the architecture graph was deleted', ...nothing };
  const now = readGraph(after);
  if (!now.ok) {
    const { code, line, column, message } = now.fault;
    const fault: GraphFault = { code, severity: 'fault', line, column, message };
    return { verdict: 'fail', why: 'the architecture graph cannot be read', ...nothing, faults: [fault] };
  }
  const was = before === undefined ? undefined : readGraph(before);
  // An unreadable base has no known faults, so all faults count as added.
  const old = was?.ok ? validateGraph(was.graph, schema).faults : [];
  const oldIds = new Set(was?.ok ? was.graph.nodes.keys() : []);
  const found = validateGraph(now.graph, schema, { ...facts, ...(was && !was.ok ? {} : { oldIds }) });
  const { added, remaining } = compareFaults(old, found.faults);
  return {
    verdict: added.length === 0 ? 'pass' : 'fail',
    why:
      added.length === 0
        ? 'the change adds no fault to the architecture graph'
        : `the change adds ${added.length === 1 ? 'a fault' : `${added.length} faults`} to the architecture graph`,
    faults: added,
    remaining,
    warnings: found.warnings,
  };
}
