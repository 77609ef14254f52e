import { type TurnState, turnStateId } from '../../src/domain/entities/turn-state.ts';
import { turnRecord } from '../../src/orchestration/turns/turn-record.ts';

export interface FillRate {
  /** The filled share of the knowable fields; 1 if there are none. */
  rate: number;
  /** Knowable fields that are empty. */
  empty: { turn: string; field: keyof TurnState }[];
}

/** Which fields of recorded turns could be known but are empty. */
export function fillRate(turns: readonly TurnState[]): FillRate {
  let known = 0;
  const empty: FillRate['empty'] = [];
  for (const turn of turns) {
    for (const field of knowable(turn)) {
      known++;
      if (isEmpty(turn[field]))
        empty.push({ turn: turnStateId(turn.feature_id, turn.task_id, turn.turn_number), field });
    }
  }
  return { rate: known === 0 ? 1 : (known - empty.length) / known, empty };
}

/** The fields that follow from how far a turn got: a test run has counts, a judged turn has feedback. */
function knowable(turn: TurnState): (keyof TurnState)[] {
  const { gates, tree, arch_threshold } = turnRecord(turn);
  const ran = (gate: string) => Object.hasOwn(gates, gate) && gates[gate] !== 'absent';
  const ended = turn.completed_at !== null || turn.coach_decision !== null;
  const open = turn.coach_decision !== null && turn.coach_decision !== 'approved';
  return [
    'started_at',
    'quality_gate_results',
    ...when(ended, 'completed_at', 'duration_seconds', 'progress_summary'),
    ...when(turn.player_decision !== null, 'player_summary', 'acceptance_criteria_status'),
    ...when(turn.player_decision === 'blocked', 'blockers_found'),
    ...when(
      Object.hasOwn(gates, 'change') && gates.change === 'pass' && turn.turn_number === 1,
      'files_modified',
    ),
    ...when(turn.coach_decision !== null, 'player_decision'),
    ...when(ran('tests'), 'tests_passed', 'tests_failed'),
    ...when(ran('coverage'), 'coverage'),
    ...when(open, 'coach_feedback', 'what_to_try_next'),
    ...when(open && tree !== null, 'lessons_from_turn'),
    ...when(turn.coach_decision === 'approved' && arch_threshold !== null, 'arch_score'),
  ];
}

function when(is: boolean, ...fields: (keyof TurnState)[]): (keyof TurnState)[] {
  return is ? fields : [];
}

function isEmpty(value: TurnState[keyof TurnState]): boolean {
  if (value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
