import type { CoachVerdict } from '../../domain/entities/agent-answers.ts';
import type { TurnState } from '../../domain/entities/turn-state.ts';
import type { BuildEnded } from '../../store/ledger/kinds/sessions/builds.ts';
import { composeTaskOutcome } from '../turns/compose-task-outcome.ts';
import { decideStop } from '../turns/decide-stop.ts';
import { closeTurn, nextTurnNumber, turnMode, wasCutOff } from '../turns/turn-lifecycle.ts';
import { turnRecord } from '../turns/turn-record.ts';
import type { TaskContext } from './build-context.ts';
import type { BuildRecord } from './build-record.ts';
import { type FinishedTurn, runTurn } from './run-turn.ts';
import { readJudgedStep, readPlayedStep, type TurnPlan } from './turn-plan.ts';
import { BuildCancelled, stepsOfTurn, turnUsage } from './turn-steps.ts';

/** A turn as reported at the end of a build. */
export interface ReportedTurn {
  turn: TurnState;
  verdict: CoachVerdict | undefined;
  overriddenBecause: readonly string[];
}

export interface TaskResult {
  taskId: string;
  outcome: BuildEnded['outcome'];
  why: string;
  next: string;
  turns: readonly ReportedTurn[];
}

/** After this many turns in a row without a report, the Player is not working at all. */
const SILENT_IN_A_ROW = 3;

/** Builds one task, turn by turn, until it is approved or something stops it. */
export async function buildTask(context: TaskContext): Promise<TaskResult> {
  const { record, task, emit } = context;
  emit({ type: 'task_began', task: task.id, title: task.title });
  let session: string | undefined;
  let resumed = context.resumed;
  const result = (outcome: TaskResult['outcome'], why: string, next: string): TaskResult => {
    // A cancelled task has no outcome yet.
    if (outcome !== 'cancelled') {
      record.recordOutcome(
        composeTaskOutcome({
          featureId: record.featureId,
          taskId: task.id,
          outcome: outcome === 'failed' ? 'max_turns' : outcome,
          why,
          turns: record.turns(task.id),
          at: new Date(context.clock()).toISOString(),
        }),
      );
    }
    const turns = reportTurns(record, task.id, record.turnsOf(context.buildId, task.id));
    emit({ type: 'task_ended', task: task.id, outcome, turns: turns.length });
    return { taskId: task.id, outcome, why, next, turns };
  };
  const cancelled = () => result('cancelled', 'Cancelled.', resumeHint(context));
  const stopped = () =>
    decideStop({
      turns: record.countedTurns(task.id),
      maxTurns: context.maxTurns,
      spentUsd: context.spent.usd,
      budgetUsd: context.budgetUsd,
      taskId: task.id,
      featureId: record.featureId,
    });
  closeCutOff(context);
  const isOpen = record.turns(task.id).some(({ completed_at }) => completed_at === null);
  // The process may have ended between the last turn and the task's outcome.
  const known = stopped();
  if (known.stop && !isOpen && (known.outcome !== 'approved' || (await isOnBranch(context))))
    return result(known.outcome, known.why, known.next);
  for (;;) {
    if (context.signal?.aborted) return cancelled();
    const plan = await planTurn(context, { resumed, session });
    let finished: FinishedTurn;
    try {
      finished = await runTurn(context, plan);
    } catch (error) {
      if (error instanceof BuildCancelled) return cancelled();
      throw error;
    }
    resumed = false;
    session = finished.session;
    await context.afterTurn?.();
    const own = record.countedTurns(task.id);
    if (isSilent(own)) return result('failed', silence(own), resumeHint(context));
    const stop = stopped();
    if (stop.stop) return result(stop.outcome, stop.why, stop.next);
  }
}

/** Closes a turn that was cut off before its commit, or reset since. */
function closeCutOff(context: TaskContext): void {
  const { record, task, clock } = context;
  const open = record.turns(task.id).at(-1);
  if (!open || open.completed_at !== null) return;
  if (open.turn_number > record.resetAfter(task.id) && committedStep(context, open)) return;
  const at = new Date(clock()).toISOString();
  record.recordTurn(closeTurn(open, at, turnUsage(context, open.turn_number)));
}

/** The next turn, or the rest of a turn that was cut off after its commit. */
async function planTurn(
  context: TaskContext,
  { resumed, session }: { resumed: boolean; session: string | undefined },
): Promise<TurnPlan> {
  const { record, task, worktree, clock } = context;
  const turns = record.turns(task.id);
  const reset = record.resetAfter(task.id);
  const history = turns.filter(({ turn_number }) => turn_number > reset);
  const open = history.at(-1);
  if (open && open.completed_at === null) {
    const committed = committedStep(context, open);
    if (!committed) throw new Error(`turn ${open.turn_number} of ${task.id} is neither closed nor committed`);
    // The files may have changed since; the gates run on the commit.
    await worktree.restore(committed.commit, task.id, clock());
    const number = open.turn_number;
    return {
      number,
      lastNumber: lastNumber(context, number),
      mode: open.mode,
      history: history.slice(0, -1),
      session,
      committed,
    };
  }
  const number = nextTurnNumber(turns);
  return {
    number,
    lastNumber: lastNumber(context, number),
    mode: turnMode({
      turns: history,
      resumed: resumed && history.length > 0,
      reset: reset > 0 && history.length === 0,
    }),
    history,
    session,
    committed: undefined,
  };
}

async function isOnBranch({ record, task, worktree }: TaskContext): Promise<boolean> {
  const last = record.turns(task.id).findLast(({ coach_decision }) => coach_decision === 'approved');
  const commit = last && record.commitOf(task.id, last.turn_number);
  return commit !== undefined && worktree.holds(commit);
}

/** The last turn number of this attempt; cut-off turns do not count. */
function lastNumber({ record, task, maxTurns }: TaskContext, number: number): number {
  const counted = record
    .countedTurns(task.id)
    .filter((turn) => turn.turn_number !== number && !wasCutOff(turn)).length;
  return Math.max(number, number + maxTurns - 1 - counted);
}

/** Recorded turns with their verdicts. */
export function reportTurns(
  record: BuildRecord,
  taskId: string,
  turns: readonly TurnState[],
): ReportedTurn[] {
  return turns.map((turn) => {
    const judged = record
      .steps(taskId)
      .findLast(({ step, turn: number }) => step === 'judged' && number === turn.turn_number);
    return {
      turn,
      verdict: (judged && readJudgedStep(judged.data)?.verdict) ?? undefined,
      overriddenBecause: turnRecord(turn).overridden_because,
    };
  });
}

function committedStep(
  { record, task }: TaskContext,
  { turn_number, started_at }: TurnState,
): TurnPlan['committed'] {
  const steps = stepsOfTurn(record.steps(task.id), turn_number);
  const commit = record.commitOf(task.id, turn_number);
  const data = steps.findLast(({ step }) => step === 'played')?.data;
  const played = data && readPlayedStep(data);
  const judgedStep = steps.findLast(({ step }) => step === 'judged')?.data;
  if (commit === undefined || !played) return undefined;
  return { commit, played, startedAt: started_at, judged: judgedStep && readJudgedStep(judgedStep) };
}

function isSilent(turns: readonly TurnState[]): boolean {
  const last = turns.slice(-SILENT_IN_A_ROW);
  return (
    last.length === SILENT_IN_A_ROW &&
    last.every(
      ({ player_decision, coach_decision, tests_passed }) =>
        player_decision === 'failed' && coach_decision === null && tests_passed === null,
    )
  );
}

function silence(turns: readonly TurnState[]): string {
  return `The Player gave no report in ${SILENT_IN_A_ROW} turns in a row. Last turn: ${turns.at(-1)?.player_summary ?? ''}`;
}

function resumeHint({ record }: TaskContext): string {
  return `Continue with \`guardkit feature-build ${record.featureId} --resume\`.`;
}
