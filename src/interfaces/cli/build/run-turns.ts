import { GuardKitError } from '../../../guardkit-error.ts';
import { findBuilt, readHistory } from '../../../orchestration/history/read-history.ts';
import {
  type TaskHistory,
  type TimelineTurn,
  taskTimeline,
} from '../../../orchestration/history/task-timeline.ts';
import { turnSpent } from '../../../orchestration/history/time-and-money.ts';
import type { CliContext, Report } from '../program/cli-command.ts';
import { describeTimeline } from './describe-timeline.ts';
import { openHistory } from './open-history.ts';

export async function runTurns(context: CliContext, id: string, rest: readonly string[]): Promise<Report> {
  if (rest.length > 0) throw tooMuch(id, rest);
  const { ledger, project } = await openHistory(context);
  const histories = readHistory(ledger, project, findBuilt(ledger, project, id));
  const timelines = histories.map((history) => ({ history, timeline: taskTimeline(history) }));
  return {
    json: {
      id,
      tasks: timelines.map(({ history, timeline }) => ({
        feature: history.featureId,
        task: history.taskId,
        outcome: history.outcome ?? null,
        turns: timeline.map((one) => turnJson(one, history)),
      })),
    },
    text: timelines
      .map(({ history, timeline }) => describeTimeline(history, timeline, context.width))
      .join('\n\n'),
  };
}

/** The turn as it is recorded, and what is known beside it. */
export function turnJson(one: TimelineTurn, { steps }: Pick<TaskHistory, 'steps'>) {
  const { seconds, usd } = turnSpent(one.turn, steps);
  return {
    id: one.id,
    ...one.turn,
    gates: one.gates,
    coach_said: one.coachSaid,
    overridden_because: one.record.overridden_because,
    moved: Object.fromEntries(
      one.criteria.filter(({ moved }) => moved !== null).map(({ id, moved }) => [id, moved]),
    ),
    commit: one.commit,
    cost_usd: usd,
    seconds,
    cut_off: one.cutOff,
    before_reset: one.beforeReset,
  };
}

function tooMuch(id: string, rest: readonly string[]): GuardKitError {
  return new GuardKitError({
    code: 'usage',
    kind: 'input',
    message: `"${rest.join(' ')}" after ${id}: one feature or task is shown at a time.`,
    hint: `To compare two turns: \`guardkit turns diff ${id} 1 2\`.`,
  });
}
