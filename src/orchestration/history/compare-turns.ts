import { statusOf } from '../turns/criterion-status.ts';
import { isSameFeedback } from '../turns/same-feedback.ts';
import type { TimelineTurn } from './task-timeline.ts';

export interface Moved<Value> {
  id: string;
  from: Value;
  to: Value;
}

export interface TurnComparison {
  criteria: Moved<string>[];
  gates: (Moved<string> & { reason: string })[];
  /** Numbers that are not the same: tests, coverage, score. */
  figures: Moved<number | null>[];
  feedback: { from: string | null; to: string | null; same: boolean };
}

const FIGURES = ['tests_passed', 'tests_failed', 'coverage', 'arch_score'] as const;

/** What is different between two turns, whatever their order. */
export function compareTurns(from: TimelineTurn, to: TimelineTurn): TurnComparison {
  const before = from.turn.acceptance_criteria_status;
  const after = to.turn.acceptance_criteria_status;
  const results = new Map(from.gates.map(({ gate, result }) => [gate, result]));
  const later = new Map(to.gates.map((gate) => [gate.gate, gate]));
  return {
    criteria: names(Object.keys(before), Object.keys(after))
      .map((id) => ({ id, from: statusOf(before, id), to: statusOf(after, id) }))
      .filter(differs),
    gates: names([...results.keys()], [...later.keys()])
      .map((id) => ({
        id,
        from: results.get(id) ?? 'absent',
        to: later.get(id)?.result ?? 'absent',
        reason: later.get(id)?.reason ?? '',
      }))
      .filter(differs),
    figures: FIGURES.map((id) => ({ id, from: from.turn[id], to: to.turn[id] })).filter(differs),
    feedback: {
      from: from.turn.coach_feedback,
      to: to.turn.coach_feedback,
      same: isSameFeedback(from.turn.coach_feedback, to.turn.coach_feedback),
    },
  };
}

function names(...lists: readonly (readonly string[])[]): string[] {
  return [...new Set(lists.flat())];
}

function differs({ from, to }: Moved<unknown>): boolean {
  return from !== to;
}
