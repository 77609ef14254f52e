import type { TaskOutcome } from '../../domain/entities/task-outcome.ts';
import { type TurnState, turnStateId } from '../../domain/entities/turn-state.ts';
import type { Outcome, Verification } from '../../domain/entities/verification.ts';
import type { TurnStep } from '../../store/ledger/kinds/sessions/turns.ts';
import type { DoneStep } from '../feature-build/build-record.ts';
import { readJudgedStep } from '../feature-build/turn-plan.ts';
import { type CriterionStatus, statusOf } from '../turns/criterion-status.ts';
import { wasCutOff } from '../turns/turn-lifecycle.ts';
import { type TurnRecord, turnRecord } from '../turns/turn-record.ts';

/** One task's history from the ledger. */
export interface TaskHistory {
  featureId: string;
  taskId: string;
  /** All of them, the oldest first. */
  turns: readonly TurnState[];
  steps: readonly DoneStep[];
  /** The last turn before the task was last reset; 0 if it never was. */
  resetAfter: number;
  outcome: TaskOutcome['outcome'] | undefined;
  /** Verifications of its turns, by id. */
  verifications: ReadonlyMap<string, Verification>;
}

export interface TimelineGate {
  gate: string;
  result: Outcome;
  /** Null if no longer known. */
  required: boolean | null;
  reason: string;
}

export interface TimelineCriterion {
  id: string;
  status: CriterionStatus;
  /** Compared with the previous turn. */
  moved: 'forward' | 'back' | null;
}

export interface TimelineTurn {
  id: string;
  turn: TurnState;
  record: TurnRecord;
  criteria: TimelineCriterion[];
  gates: TimelineGate[];
  /** The Coach's own decision, before GuardKit checked the evidence. */
  coachSaid: string | null;
  /** No record of Player or Coach: it was cut off or is still running. */
  cutOff: boolean;
  lastStep: TurnStep | null;
  commit: string | null;
  /** Agents are no longer shown it. */
  beforeReset: boolean;
}

/** A task's turns in order, each compared with the previous one. */
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

/** Required gates that did not pass; if it is unknown which were required, all failed gates. */
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
