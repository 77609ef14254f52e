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

/** Applies an operation and reads the resulting text again; or returns why it was refused. */
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

/** Takes the first text whose graph differs from the old one in exactly the requested change. */
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
    'The file is written so that this change would also change something else.',
    'Edit the file so that the node or edge has its own statement, and try again.',
  );
}
