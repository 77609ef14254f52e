import type { TaskExplanation } from './explain-task.ts';
import type { TaskHistory, TimelineTurn } from './task-timeline.ts';
import { type TurnSpent, turnSpent } from './time-and-money.ts';

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

/** An explanation for programs. */
export function explanationJson(explanation: TaskExplanation) {
  const { featureId, taskId, causes, spent, spentByTurn, lastFailure, whatToChange, ...rest } = explanation;
  return {
    feature: featureId,
    task: taskId,
    outcome: rest.outcome,
    turns: rest.turns,
    turns_before_reset: rest.turnsBeforeReset,
    approved_in: rest.approvedIn,
    last_failure: lastFailure,
    causes: {
      repeated_feedback: causes.repeated,
      moved_back: causes.movedBack.map(({ verifiedIn, lostIn, ...one }) => ({
        ...one,
        verified_in: verifiedIn,
        lost_in: lostIn,
      })),
      blocked_criteria: causes.blocked,
      blockers: causes.blockers,
      overridden_approvals: causes.overridden,
      gates: causes.gates,
      false_claims: causes.dishonest,
      no_report: causes.silent,
      no_verdict: causes.unjudged,
      cut_off: causes.cutOff,
    },
    spent: {
      ...spentJson(spent),
      by_turn: spentByTurn.map((one) => ({ turn: one.turn, ...spentJson(one) })),
    },
    what_to_change: whatToChange,
  };
}

function spentJson({ seconds, usd, inputTokens, outputTokens, parts }: Omit<TurnSpent, 'turn'>) {
  return { seconds, usd, input_tokens: inputTokens, output_tokens: outputTokens, parts };
}
