import type { TaskHistory, TimelineTurn } from './task-timeline.ts';
import { turnSpent } from './time-and-money.ts';

/** The recorded turn with derived fields. */
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
