import { turnStateSchema } from '../domain/turn-state.ts';
import type { Ledger } from '../store/ledger/ledger.ts';

/** The Coach's last architecture score for a tree, if a turn of one of these tasks has one. */
export function architectureScore(
  ledger: Ledger,
  project: string,
  tasks: readonly string[],
  tree: string,
): number | undefined {
  const turns = ledger
    .entries(project, { kind: 'turn_recorded' })
    .map(({ body }) => turnStateSchema.parse(body));
  const scored = turns.findLast(
    ({ task_id, arch_score, quality_gate_results }) =>
      tasks.includes(task_id) && arch_score !== null && quality_gate_results?.tree === tree,
  );
  return scored?.arch_score ?? undefined;
}
