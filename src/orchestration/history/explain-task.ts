import type { TaskOutcome } from '../../domain/entities/task-outcome.ts';
import { withoutGateEntries } from '../turns/turn-record.ts';
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

/** What a person can do now, the most useful first. */
function advise(
  { featureId, taskId, outcome }: Pick<TaskHistory, 'featureId' | 'taskId' | 'outcome'>,
  causes: Causes,
  last: TimelineTurn | undefined,
): string[] {
  const resume = `guardkit feature-build ${featureId} --resume`;
  if (outcome === 'approved')
    return [
      `Review the branch guardkit/${featureId}, then merge it: \`guardkit feature complete ${featureId}\`.`,
    ];
  const steps = [
    ...causes.blocked.map(
      (id) =>
        `${id} cannot be met as written: change or remove it in the task file, commit it, and restart the task, because ` +
        `a build keeps the criteria it started with.`,
    ),
    ...causes.repeated.map(
      ({ turns }) =>
        `Turns ${formatNumbers(turns)} got the same feedback, which the Player cannot follow: explain it in the plan ` +
        `(.claude/task-plans/${taskId}-implementation-plan.md in the worktree), make it a criterion, or make the task smaller.`,
    ),
    ...causes.movedBack.map(
      ({ criterion, verifiedIn, lostIn }) =>
        `See what broke ${criterion}: \`guardkit turns diff ${taskId} ${Math.max(verifiedIn, lostIn - 1)} ${lostIn}\`.`,
    ),
    ...causes.gates
      .filter(({ turns }) => last && turns.at(-1) === last.turn.turn_number)
      .map(
        ({ gate, turns, reason }) =>
          `Make ${gate} pass${turns.length > 1 ? ` (not passed in turns ${formatNumbers(turns)})` : ''}: ${reason}` +
          `${/[.!?]$/.test(reason) ? '' : '.'} \`guardkit evidence ${taskId}\` shows the runs.`,
      ),
    ...causes.blockers
      .filter(({ turns }) => last && turns.at(-1) === last.turn.turn_number)
      .map(({ text }) => `Remove the Player’s blocker: ${text}`),
    ...(causes.overridden.length > 1
      ? [
          'In each criterion, name the test or check that proves it: the Coach approved without one more than once.',
        ]
      : []),
    ...(causes.dishonest.length > 1
      ? [
          'The Player’s reports are repeatedly false: try another model (--driver, or the model in .guardkit/config.yaml).',
        ]
      : []),
    ...(causes.silent.length > 0
      ? [
          'Check .guardkit/logs/autobuild.log for why the Player gave no report; --timeout gives it more time.',
        ]
      : []),
    ...(causes.unjudged.length > 0
      ? [
          'Check .guardkit/logs/autobuild.log for why the Coach gave no verdict; --coach-driver chooses another.',
        ]
      : []),
  ];
  const focus = last?.turn.what_to_try_next;
  const before = steps.length === 0 && focus ? [focus] : [];
  const advice = [...steps, ...before];
  const goOn = `${advice.length > 0 ? 'Then continue' : 'Continue'}: \`${resume}\``;
  return [...advice, `${goOn}; or restart the task: \`guardkit task reset ${taskId} --reason "…"\`.`];
}

/** `1, 2 and 4`. */
export function formatNumbers(numbers: readonly number[]): string {
  if (numbers.length < 2) return numbers.join('');
  return `${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1)}`;
}
