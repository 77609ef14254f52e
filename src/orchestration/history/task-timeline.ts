import type { TaskOutcome } from '../../domain/entities/task-outcome.ts';
import { type TurnState, turnStateId } from '../../domain/entities/turn-state.ts';
import type { Outcome, Verification } from '../../domain/entities/verification.ts';
import type { TurnStep } from '../../store/ledger/kinds/sessions/turns.ts';
import type { DoneStep } from '../feature-build/build-record.ts';
import { readJudgedStep } from '../feature-build/turn-plan.ts';
import { type CriterionStatus, statusOf } from '../turns/criterion-status.ts';
import { wasCutOff } from '../turns/turn-lifecycle.ts';
import { type TurnRecord, turnRecord } from '../turns/turn-record.ts';

/** What the ledger has of one task. */
export interface TaskHistory {
  featureId: string;
  taskId: string;
  /** All of them, the oldest first. */
  turns: readonly TurnState[];
  steps: readonly DoneStep[];
  /** The last turn before the task was last reset; 0 if it never was. */
  resetAfter: number;
  outcome: TaskOutcome['outcome'] | undefined;
  /** Those that its turns name, by id. */
  verifications: ReadonlyMap<string, Verification>;
}

export interface TimelineGate {
  gate: string;
  result: Outcome;
  /** Null where it is not known any more. */
  required: boolean | null;
  reason: string;
}

export interface TimelineCriterion {
  id: string;
  status: CriterionStatus;
  /** Against the turn before. */
  moved: 'forward' | 'back' | null;
}

export interface TimelineTurn {
  id: string;
  turn: TurnState;
  record: TurnRecord;
  criteria: TimelineCriterion[];
  gates: TimelineGate[];
  /** The Coach's own word, before code looked at the evidence. */
  coachSaid: string | null;
  /** It ended, or is still going on, without a word of Player or Coach. */
  cutOff: boolean;
  lastStep: TurnStep | null;
  commit: string | null;
  /** Agents are not shown it any more. */
  beforeReset: boolean;
}

/** A task's turns one after the other, each with what changed against the one before. */
export function taskTimeline(history: TaskHistory): TimelineTurn[] {
  return history.turns.map((turn, index) => {
    const steps = history.steps.filter((step) => step.turn === turn.turn_number);
    const before = history.turns[index - 1];
    const record = turnRecord(turn);
    const commit = stepData(steps, 'committed')?.commit;
    return {
      id: turnStateId(history.featureId, history.taskId, turn.turn_number),
      turn,
      record,
      criteria: criteriaOf(turn, before),
      gates: gatesOf(record, history.verifications),
      coachSaid: coachWord(steps),
      cutOff: wasCutOff(turn),
      lastStep: steps.at(-1)?.step ?? null,
      commit: typeof commit === 'string' ? commit : null,
      beforeReset: turn.turn_number <= history.resetAfter,
    };
  });
}

/** Gates that stood in the way of an approval. Where it is not known what was required, those that failed. */
export function unmetGates({ gates }: Pick<TimelineTurn, 'gates'>): TimelineGate[] {
  return gates.filter(({ result, required }) =>
    required === null ? result === 'fail' : required && result !== 'pass',
  );
}

function criteriaOf(turn: TurnState, before: TurnState | undefined): TimelineCriterion[] {
  return Object.entries(turn.acceptance_criteria_status).map(([id, status]) => {
    const was = before && statusOf(before.acceptance_criteria_status, id);
    const moved =
      was === status ? null : status === 'verified' ? 'forward' : was === 'verified' ? 'back' : null;
    return { id, status, moved };
  });
}

function gatesOf(record: TurnRecord, verifications: TaskHistory['verifications']): TimelineGate[] {
  const known = record.verification === null ? undefined : verifications.get(record.verification);
  if (known)
    return known.gates.map(({ gate, result, required, reason }) => ({ gate, result, required, reason }));
  return Object.entries(record.gates).map(([gate, result]) => ({
    gate,
    result,
    required: null,
    reason: (Object.hasOwn(record.reasons, gate) ? record.reasons[gate] : undefined) ?? '',
  }));
}

function coachWord(steps: readonly DoneStep[]): string | null {
  const judged = stepData(steps, 'judged');
  return (judged && readJudgedStep(judged)?.verdict?.decision) ?? null;
}

function stepData(steps: readonly DoneStep[], name: TurnStep): DoneStep['data'] | undefined {
  return steps.findLast(({ step }) => step === name)?.data;
}
