import type { TaskOutcome } from '../../domain/entities/task-outcome.ts';
import { withoutGateEntries } from '../turns/turn-record.ts';
import { advise } from './advise.ts';
import { type Causes, findCauses } from './find-causes.ts';
import { type TaskHistory, type TimelineTurn, taskTimeline, unmetGates } from './task-timeline.ts';
import { sumSpent, type TurnSpent, turnSpent } from './time-and-money.ts';

/** A turn that was not approved, and what spoke against it. */
export interface TriedTurn {
  turn: number;
  tried: string;
  files: readonly string[];
  decision: string;
  why: string[];
}

export interface TaskExplanation {
  featureId: string;
  taskId: string;
  outcome: TaskOutcome['outcome'] | null;
  /** Since the task was last reset. */
  turns: number;
  /** Before that. */
  turnsBeforeReset: number;
  approvedIn: number | null;
  /** The last turn that was not approved. */
  lastFailure: TriedTurn | null;
  causes: Causes;
  spent: Omit<TurnSpent, 'turn'>;
  spentByTurn: TurnSpent[];
  whatToChange: string[];
}

/** Why a task took the turns that it took. */
export function explainTask(history: TaskHistory): TaskExplanation {
  const all = taskTimeline(history);
  const turns = all.filter(({ beforeReset }) => !beforeReset);
  const failure = turns.findLast(({ turn }) => turn.coach_decision !== 'approved');
  const last = turns.at(-1);
  const causes = findCauses(turns);
  const spentByTurn = turns.map(({ turn }) => turnSpent(turn, history.steps));
  return {
    featureId: history.featureId,
    taskId: history.taskId,
    outcome: history.outcome ?? null,
    turns: turns.length,
    turnsBeforeReset: all.length - turns.length,
    approvedIn: last?.turn.coach_decision === 'approved' ? last.turn.turn_number : null,
    lastFailure: failure ? tried(failure) : null,
    causes,
    spent: sumSpent(spentByTurn),
    spentByTurn,
    whatToChange: turns.length === 0 ? [afresh(history)] : advise(history, causes, last),
  };
}

function tried(one: TimelineTurn): TriedTurn {
  const { turn } = one;
  return {
    turn: turn.turn_number,
    tried: turn.player_summary || 'No details: the turn ended before the Player had finished.',
    files: turn.files_modified,
    decision: turn.coach_decision ?? (one.cutOff ? 'cut off' : 'no verdict'),
    why: whyNot(one),
  };
}

/** What spoke against a turn, what is certain first. */
function whyNot(one: TimelineTurn): string[] {
  const { turn, record, cutOff, lastStep, coachSaid } = one;
  if (cutOff)
    return [
      `It was cut off${lastStep === null ? '' : ` after the step "${lastStep}"`}, before it was judged.`,
    ];
  const gates = unmetGates(one).map(
    ({ gate, result, reason }) => `The gate ${gate} ${result === 'fail' ? 'failed' : 'is absent'}: ${reason}`,
  );
  const overridden = coachSaid === 'approved' && turn.coach_decision !== 'approved';
  const missing = withoutGateEntries(record.overridden_because);
  const said = turn.coach_feedback && !overridden && turn.coach_decision !== null;
  return [
    ...(record.verification === null ? turn.blockers_found : []),
    ...gates,
    ...(overridden ? ['The Coach approved, but GuardKit did not accept the approval without evidence.'] : []),
    ...missing,
    ...record.regressions,
    ...(said ? [`The Coach: ${turn.coach_feedback}`] : []),
    ...record.honesty.map((text) => `False claim: ${text}`),
  ];
}

function afresh({ featureId }: TaskHistory): string {
  return `It has not been built since it was reset. Build it with \`guardkit feature-build ${featureId}\`.`;
}
