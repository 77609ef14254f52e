import { turnStateSchema } from '../domain/entities/turn-state.ts';
import type { Ledger } from '../store/ledger/ledger.ts';

/** The Coach's latest architecture score for a tree from the turns of these tasks. */
export function architectureScore(
  ledger: Ledger,
  project: string,
  tasks: readonly string[],
  tree: string,
): number | undefined {
  let last: { number: number; score: number } | undefined;
  for (const value of tasks) {
    for (const { number, body } of ledger.lookup(project, {
      kind: 'turn_recorded',
      field: 'task_id',
      value,
    })) {
      const { arch_score, quality_gate_results } = turnStateSchema.parse(body);
      if (arch_score === null || quality_gate_results?.tree !== tree) continue;
      if (!last || number > last.number) last = { number, score: arch_score };
      break;
    }
  }
  return last?.score;
}
