import { didYouMean } from '../../domain/nearest-word.ts';
import type { ArchitectureGraph, ArchitectureNode } from '../graph/architecture-graph.ts';
import type { GraphDifference } from '../graph/graph-difference.ts';
import { NearestIds } from '../validation/graph-fault.ts';
import type { FieldValues } from './statement-edits.ts';

/** A requested change, valid in itself; not yet checked against the graph. */
export type Operation =
  | { operation: 'add_node'; name: string; fields: FieldValues }
  | { operation: 'update_node'; name: string; fields: FieldValues; unset: readonly string[] }
  | { operation: 'remove_node'; name: string }
  | { operation: 'rename_node'; name: string; newName: string }
  /** The fields include the relation. */
  | { operation: 'add_edge'; from: string; to: string; fields: FieldValues }
  | { operation: 'remove_edge'; from: string; to: string; relation?: string | undefined };

export type OperationName = Operation['operation'];

/** Why an operation is refused, and what to do instead. */
export interface Refusal {
  ok: false;
  code: string;
  message: string;
  hint: string;
}

/** How to apply an operation. */
export interface EditPlan {
  ok: true;
  /** One line about the change. */
  summary: string;
  /** Ways to write it, the nicest first; the first with exactly the requested effect is used. */
  attempts: readonly (() => string)[];
  isExpected(difference: GraphDifference): boolean;
  renamed?: { from: string; to: string };
}

export type PlannedEdit = EditPlan | Refusal;

export function refusal(code: string, message: string, hint: string): Refusal {
  return { ok: false, code, message, hint };
}

/** Finds a node, including one that only edges name; or a refusal with the nearest id. */
export function findNode(
  graph: ArchitectureGraph,
  id: string,
  otherwise: string,
): { ok: true; node: ArchitectureNode } | Refusal {
  const node = graph.nodes.get(id);
  if (node) return { ok: true, node };
  const nearest = new NearestIds(graph).of(id);
  const hint = `${otherwise}${didYouMean(nearest)}`;
  return refusal('node.unknown', `The graph has no node "${id}".`, hint);
}
