import type { TaskExplanation } from './explain-task.ts';
import type { TurnSpent } from './time-and-money.ts';

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
