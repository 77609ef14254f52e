import type { GraphDifference } from '../graph/graph-difference.ts';
import type { FieldValues } from './write-statement.ts';

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
