import type { JsonObject } from '../../domain/json/json.ts';
import type { GuardedOutcome } from '../../enforcement/driven/driven-run.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import type { TurnStep } from '../../store/ledger/kinds/sessions/turns.ts';
import type { AgentRole, AgentUsage } from '../drivers/agent-driver.ts';
import type { Prompt } from '../prompts/prompt-section.ts';
import type { AgentRun } from './ask-agent.ts';
import type { TaskContext } from './build-context.ts';
import type { DoneStep } from './build-record.ts';
import { guardedData, stepsGuarded, stepUsages, usedData } from './step-usage.ts';
import type { TurnPlan } from './turn-plan.ts';

/** A turn that a person or a signal ended. Its finished steps are kept, and `--resume` continues. */
export class BuildCancelled extends Error {}

/** Records a finished step of a turn. */
export function recordStep(
  { record, buildId, task }: TaskContext,
  { number }: TurnPlan,
  step: TurnStep,
  data: JsonObject,
): void {
  record.recordStep(buildId, task.id, number, step, data);
}

/** The usage of a turn's agents so far, over all processes. */
export function turnUsage({ record, task }: TaskContext, number: number): AgentUsage[] {
  return stepUsages(stepsOfTurn(record.steps(task.id), number));
}

/** Refusals and restored files in the turn so far. */
export function turnGuarded({ record, task }: TaskContext, number: number): GuardedOutcome {
  return stepsGuarded(stepsOfTurn(record.steps(task.id), number));
}

export function stepsOfTurn(steps: readonly DoneStep[], number: number): DoneStep[] {
  return steps.filter(({ turn }) => turn === number);
}

export function announce(
  { emit, task }: TaskContext,
  { number }: TurnPlan,
  role: AgentRole,
  { injected, leftOut }: Prompt,
): void {
  emit({ type: 'prompted', task: task.id, turn: number, role, injected, leftOut });
}

/**
 * Ends the turn of an agent that was cancelled, acted without hooks, or ran out of the shared budget: the turn does not count.
 * Its cost is recorded first. Files that it changed without hooks are kept on a ref, and the worktree is again at the commit
 * before it ran, if there is one.
 */
export async function endIfStopped(
  context: TaskContext,
  plan: TurnPlan,
  role: AgentRole,
  { end, usage, guarded }: AgentRun,
  before?: string,
): Promise<void> {
  if (end.type !== 'cancelled' && end.type !== 'unguarded' && end.type !== 'out_of_funds') return;
  recordStep(context, plan, 'cancelled', { role, ...usedData(usage), ...guardedData(guarded) });
  if (end.type === 'cancelled') throw new BuildCancelled();
  if (end.type === 'out_of_funds') throw outOfFunds(role, end.why);
  const { worktree, task, clock } = context;
  if (before !== undefined) await worktree.restore(before, task.id, clock());
  throw unguarded(role, end.why);
}

/** Thrown, not counted as a failed attempt: the agent's program is not set up as GuardKit needs it. */
export function unguarded(role: AgentRole, why: string): GuardKitError {
  return new GuardKitError({
    code: 'driver.unguarded',
    kind: 'outside',
    message: `The ${role} acted without GuardKit’s hooks, so its run was ended and does not count: ${why}`,
    hint: 'Run `guardkit doctor`, check that the agent’s version is supported, then continue with --resume.',
  });
}

/** Thrown, not counted as a failed attempt: every feature of the project would fail the same way. */
function outOfFunds(role: AgentRole, why: string): GuardKitError {
  return new GuardKitError({
    code: 'queue.budget',
    kind: 'refused',
    message: `The ${role} was stopped by the spending limit: ${why}.`,
    hint: 'Raise the budget with `guardkit queue init --budget-usd N`, or the feature’s with `guardkit queue add --budget-usd N`.',
  });
}
