import { didYouMean } from '../../domain/nearest-word.ts';
import type { ArchitectureGraph, ArchitectureNode } from '../graph/architecture-graph.ts';
import type { GraphDifference } from '../graph/graph-difference.ts';
import { NearestIds } from '../validation/nearest-ids.ts';
import type { FieldValues } from './statement-edits.ts';

/** One change that is asked for, already checked by itself; whether it fits the graph is still open. */
export type Operation =
  | { operation: 'add_node'; name: string; fields: FieldValues }
  | { operation: 'update_node'; name: string; fields: FieldValues; unset: readonly string[] }
  | { operation: 'remove_node'; name: string }
  | { operation: 'rename_node'; name: string; newName: string }
  /** Among the fields is its relation. */
  | { operation: 'add_edge'; from: string; to: string; fields: FieldValues }
  | { operation: 'remove_edge'; from: string; to: string; relation?: string | undefined };

export type OperationName = Operation['operation'];

/** Why an operation is not made, and what to do instead. */
export interface Refusal {
  ok: false;
  code: string;
  message: string;
  hint: string;
}

/** How an operation can be made. */
export interface EditPlan {
  ok: true;
  /** One sentence about what is done. */
  summary: string;
  /** Ways to write it, the nicest first: the first that means what was asked is taken. */
  attempts: readonly (() => string)[];
  isExpected(difference: GraphDifference): boolean;
  renamed?: { from: string; to: string };
}

export type PlannedEdit = EditPlan | Refusal;

export function refusal(code: string, message: string, hint: string): Refusal {
  return { ok: false, code, message, hint };
}

/** A node of the graph, one that edges name included; or why there is none, with what was probably meant. */
export function findNode(
  graph: ArchitectureGraph,
  id: string,
  otherwise: string,
): { ok: true; node: ArchitectureNode } | Refusal {
  const node = graph.nodes.get(id);
  if (node) return { ok: true, node };
  const nearest = new NearestIds(graph).of(id);
  const hint = `${otherwise}${didYouMean(nearest)}`;
  return refusal('node.unknown', `There is no node "${id}" in the graph.`, hint);
}
