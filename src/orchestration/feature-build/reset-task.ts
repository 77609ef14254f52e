import { GuardKitError } from '../../guardkit-error.ts';
import type { BuildSettings } from './build-context.ts';
import { findCurrentBuild, startedTasks } from './current-build.ts';
import { FeatureWorktree } from './feature-worktree.ts';
import { removeWorktree } from './remove-worktree.ts';

export interface ResetPlan {
  featureId: string;
  taskId: string;
  /** The task and those started after it, which build on its work. */
  tasks: string[];
  branch: string | undefined;
  worktree: string | undefined;
  /** The commit to reset the branch to; undefined if the next build recreates the branch. */
  backTo: string | undefined;
}

/** What a reset would undo. Resetting the first task removes the branch, and the next build chooses the base. */
export function planReset(
  { ledger, project }: Pick<BuildSettings, 'ledger' | 'project'>,
  featureId: string,
  taskId: string,
): ResetPlan {
  const build = findCurrentBuild(ledger, project, featureId);
  const started = startedTasks(ledger, project, featureId);
  const index = started.findIndex((task) => task.taskId === taskId);
  if (index < 0) {
    throw new GuardKitError({
      code: 'reset.nothing',
      kind: 'refused',
      message: `Nothing to reset: ${taskId} has no turns.`,
      hint: `Build it with \`guardkit feature-build ${featureId}\`.`,
    });
  }
  const keepBranch = build && !build.completed && index > 0;
  return {
    featureId,
    taskId,
    tasks: started.slice(index).map((task) => task.taskId),
    branch: build?.branch,
    worktree: build?.worktree,
    backTo: keepBranch ? started[index]?.base : undefined,
  };
}

/**
 * Resets a task. Files are reset before the record: otherwise unapproved work could remain and count as part of the base
 * of the next turn.
 */
export async function resetTask(
  { repository, ledger, project }: Pick<BuildSettings, 'repository' | 'ledger' | 'project'>,
  { featureId, taskId, tasks, branch, worktree: folder, backTo }: ResetPlan,
  { by, reason, at }: { by: string; reason: string; at: number },
): Promise<{ kept: string | null }> {
  let kept: string | null = null;
  if (branch !== undefined && folder !== undefined) {
    const standing = { featureId, branch, worktree: folder };
    const known = await repository.commit(`refs/heads/${branch}`);
    if (backTo === undefined) kept = (await removeWorktree(repository, standing, at)).kept;
    else if (known !== undefined) {
      const worktree = await FeatureWorktree.open(repository, { folder, featureId, base: backTo });
      await worktree.restore(backTo, taskId, at);
      const ref = `refs/guardkit/${featureId}/${taskId}/kept-${at}`;
      kept = (await repository.commit(ref)) === undefined ? null : ref;
    }
  }
  ledger.appendMany(
    project,
    tasks.map((task_id) => ({ kind: 'task_reset', body: { task_id, by, reason } })),
  );
  return { kept };
}
