import type { ArchitectureGraph } from '../graph/architecture-graph.ts';
import { graphDifference } from '../graph/graph-difference.ts';
import { readGraph } from '../graph/read-graph.ts';
import { planAddEdge, planRemoveEdge } from './edge-operations.ts';
import { planAddNode, planRemoveNode, planRenameNode, planUpdateNode } from './node-operations.ts';
import { type EditPlan, type Operation, type PlannedEdit, type Refusal, refusal } from './operation.ts';

export interface AppliedOperation {
  ok: true;
  graph: ArchitectureGraph;
  summary: string;
  renamed?: { from: string; to: string };
}

/** The graph after an operation, read again from the text that was made, or why it was not made. */
export function applyOperation(graph: ArchitectureGraph, operation: Operation): AppliedOperation | Refusal {
  const planned = planOperation(graph, operation);
  return planned.ok ? carryOut(graph, planned) : planned;
}

function planOperation(graph: ArchitectureGraph, operation: Operation): PlannedEdit {
  switch (operation.operation) {
    case 'add_node':
      return planAddNode(graph, operation.name, operation.fields);
    case 'update_node':
      return planUpdateNode(graph, operation.name, operation.fields, operation.unset);
    case 'remove_node':
      return planRemoveNode(graph, operation.name);
    case 'rename_node':
      return planRenameNode(graph, operation.name, operation.newName);
    case 'add_edge':
      return planAddEdge(graph, operation);
    case 'remove_edge':
      return planRemoveEdge(graph, operation);
  }
}

/** A text that means more or less than what was asked is never taken, however it came about. */
function carryOut(graph: ArchitectureGraph, plan: EditPlan): AppliedOperation | Refusal {
  const { summary, renamed, attempts } = plan;
  const names = new Map(renamed ? [[renamed.from, renamed.to]] : []);
  for (const attempt of attempts) {
    const read = readGraph(attempt());
    if (read.ok && plan.isExpected(graphDifference(graph, read.graph, names))) {
      return { ok: true, graph: read.graph, summary, ...(renamed ? { renamed } : {}) };
    }
  }
  return refusal(
    'edit.entangled',
    'This cannot be changed without changing something else, because of how the file is written.',
    'Write the node or edge as a statement of its own in the file, and try again.',
  );
}
