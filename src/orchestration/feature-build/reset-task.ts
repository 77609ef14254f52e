import { GuardKitError } from '../../guardkit-error.ts';
import type { Repository } from '../../platform/git/repository.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { findCurrentBuild, startedTasks } from './current-build.ts';
import { FeatureWorktree } from './feature-worktree.ts';
import { leaveWorktree } from './leave-worktree.ts';

export interface ResetPlan {
  featureId: string;
  taskId: string;
  /** The task, and those that were begun after it and so have its work beneath them. */
  tasks: string[];
  branch: string | undefined;
  worktree: string | undefined;
  /** Where the branch goes back to; undefined where the next build makes it anew. */
  backTo: string | undefined;
}

interface Place {
  repository: Repository;
  ledger: Ledger;
  project: string;
}

/** What a reset would undo. The first task of a branch starts afresh from wherever the next build does. */
export function planReset(
  { ledger, project }: Omit<Place, 'repository'>,
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
      message: `${taskId} has no turn that a reset could leave behind.`,
      hint: `It starts afresh as it is: \`guardkit feature-build ${featureId}\`.`,
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
 * Lets a task start afresh. Its files go back too, before the record does: work that no gate let pass would otherwise
 * lie beneath the next turn and be taken for what was there before.
 */
export async function resetTask(
  { repository, ledger, project }: Place,
  { featureId, taskId, tasks, branch, worktree: folder, backTo }: ResetPlan,
  { by, reason, at }: { by: string; reason: string; at: number },
): Promise<{ kept: string | null }> {
  let kept: string | null = null;
  if (branch !== undefined && folder !== undefined) {
    const standing = { featureId, branch, worktree: folder };
    const known = await repository.commit(`refs/heads/${branch}`);
    if (backTo === undefined) kept = (await leaveWorktree(repository, standing, at)).kept;
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
