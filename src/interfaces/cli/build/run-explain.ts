import { GuardKitError } from '../../../guardkit-error.ts';
import { explainTask } from '../../../orchestration/history/explain-task.ts';
import { findBuilt, readHistory } from '../../../orchestration/history/read-history.ts';
import type { TurnSpent } from '../../../orchestration/history/time-and-money.ts';
import type { CliContext, Report } from '../program/cli-command.ts';
import { describeExplanation } from './describe-explanation.ts';
import { openHistory } from './open-history.ts';

export async function runExplain(context: CliContext, id: string): Promise<Report> {
  const { ledger, project } = await openHistory(context);
  const built = findBuilt(ledger, project, id);
  const own = built.filter(({ taskId }) => taskId === id);
  const meant = own.length > 0 ? own : built;
  const tasks = [...new Set(meant.map(({ taskId }) => taskId))];
  // A task that went to another feature is told as it went on there.
  const [history] = tasks.length === 1 ? readHistory(ledger, project, meant.slice(-1)) : [];
  if (!history) throw severalTasks(id, tasks);
  const explanation = explainTask(history);
  const { featureId, taskId, causes, spent, spentByTurn, lastFailure, whatToChange, ...rest } = explanation;
  return {
    json: {
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
    },
    text: describeExplanation(explanation, context.width),
  };
}

function spentJson({ seconds, usd, inputTokens, outputTokens, parts }: Omit<TurnSpent, 'turn'>) {
  return { seconds, usd, input_tokens: inputTokens, output_tokens: outputTokens, parts };
}

function severalTasks(id: string, tasks: readonly string[]): GuardKitError {
  return new GuardKitError({
    code: 'explain.several',
    kind: 'input',
    message: `${id} has several tasks that were built: ${tasks.join(', ')}.`,
    hint: 'Name the one to explain; `guardkit turns` shows all of them.',
  });
}
