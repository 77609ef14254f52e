import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { TASK_PLANS } from '../../domain/protection/project-paths.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import { writeFileAtomic } from '../../platform/files/atomic-file.ts';
import { isInside } from '../../platform/files/path-inside.ts';
import { resolvePath } from '../../platform/sandbox/resolve-path.ts';
import type { TaskContext } from './build-context.ts';

/** More than any prompt can contain. */
const MAX_PLAN_BYTES = 1024 * 1024;

type PlanContext = Pick<TaskContext, 'worktree' | 'task'>;

/** Checked before the turn has a number: a Player may have created a link that leads out of the worktree. */
export function requirePlanFile(context: PlanContext & Pick<TaskContext, 'requirePlan'>): void {
  const { worktree, task, requirePlan } = context;
  const path = planPath(context);
  const real = resolvePath(path);
  if (real.endless || !isInside(real.path, resolvePath(worktree.folder).path))
    throw planElsewhere(path, real.path);
  if (requirePlan && !hasPlan(context)) throw noPlan(task.id);
}

/** An empty file, or anything but a file, is not a plan. */
export function hasPlan(context: PlanContext): boolean {
  return readPlan(context).trim() !== '';
}

/** At most the first MAX_PLAN_BYTES. */
export function readPlan(context: PlanContext): string {
  const path = planPath(context);
  const stat = statSync(path, { throwIfNoEntry: false });
  // Reading anything else, such as a pipe, could block.
  if (!stat?.isFile()) return '';
  const bytes = Buffer.alloc(Math.min(stat.size, MAX_PLAN_BYTES));
  const file = openSync(path, 'r');
  try {
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0)).toString('utf8');
  } finally {
    closeSync(file);
  }
}

/** Undefined if written, else the error message. */
export function writePlan(context: PlanContext, text: string): string | undefined {
  try {
    writeFileAtomic(planPath(context), text);
    return undefined;
  } catch (error) {
    // Safe: the caller reports it, and the task has no plan.
    return error instanceof Error ? error.message : String(error);
  }
}

function planPath({ worktree, task }: PlanContext): string {
  return join(worktree.folder, TASK_PLANS, `${task.id}-implementation-plan.md`);
}

function planElsewhere(path: string, real: string): GuardKitError {
  return new GuardKitError({
    code: 'plan.elsewhere',
    kind: 'refused',
    message: `${path} points outside the worktree, to ${real}.`,
    hint: 'Remove the symlink in the worktree, then continue with --resume.',
  });
}

function noPlan(taskId: string): GuardKitError {
  return new GuardKitError({
    code: 'plan.missing',
    kind: 'refused',
    message: `${taskId} has no plan at ${TASK_PLANS}/${taskId}-implementation-plan.md.`,
    hint: 'Write and commit one, or omit --require-plan to have the planner write it.',
  });
}
