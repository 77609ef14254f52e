import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { GuardKitError } from '../../guardkit-error.ts';
import { isInside } from '../../platform/sandbox/path-inside.ts';
import { resolvePath } from '../../platform/sandbox/resolve-path.ts';
import type { TaskContext } from './build-context.ts';

/** Where plans lie in a project. */
export const PLANS = '.claude/task-plans';
/** More than any prompt holds. */
const MAX_PLAN_BYTES = 1024 * 1024;

/** Said before the turn has a number. The folder is the Player's, and a link in it may lead anywhere. */
export function requirePlanPlace({ worktree, task, requirePlan }: TaskContext): void {
  const path = planPath(worktree.folder, task.id);
  const real = resolvePath(path);
  if (real.endless || !isInside(real.path, resolvePath(worktree.folder).path))
    throw planElsewhere(path, real.path);
  if (requirePlan && !existsSync(path)) throw noPlan(task.id);
}

export function planPath(folder: string, taskId: string): string {
  return join(folder, PLANS, `${taskId}-implementation-plan.md`);
}

export function readPlan({ worktree, task }: TaskContext): string {
  const path = planPath(worktree.folder, task.id);
  const stat = statSync(path, { throwIfNoEntry: false });
  // Anything else would be waited for, or be as long as it likes.
  return stat?.isFile() && stat.size <= MAX_PLAN_BYTES ? readFileSync(path, 'utf8') : '';
}

function planElsewhere(path: string, real: string): GuardKitError {
  return new GuardKitError({
    code: 'plan.elsewhere',
    kind: 'refused',
    message: `${path} leads out of the worktree, to ${real}.`,
    hint: 'Take the link away in the worktree, then go on with --resume.',
  });
}

function noPlan(taskId: string): GuardKitError {
  return new GuardKitError({
    code: 'plan.missing',
    kind: 'refused',
    message: `${taskId} has no plan at .claude/task-plans/${taskId}-implementation-plan.md.`,
    hint: 'Write and commit one, or leave out --require-plan to have it made first.',
  });
}
