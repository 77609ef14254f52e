import { didYouMean, nearestWord } from '../../domain/nearest-word.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import type { BuildSettings } from './build-context.ts';
import { findCurrentBuild, startedTasks } from './current-build.ts';
import { type RemovedWorktree, removeWorktree } from './remove-worktree.ts';

export interface DiscardPlan {
  featureId: string;
  branch: string;
  worktree: string;
  /** Tasks that restart with the next build. */
  tasks: string[];
}

/** What discarding a feature would remove. */
export function planDiscard(
  { ledger, project }: Pick<BuildSettings, 'ledger' | 'project'>,
  featureId: string,
): DiscardPlan {
  const build = findCurrentBuild(ledger, project, featureId);
  if (!build) {
    const began = [...ledger.entries(project, { kind: 'build_began' })];
    const near = nearestWord(featureId, [...new Set(began.map(({ body }) => String(body.feature_id)))]);
    throw new GuardKitError({
      code: 'discard.nothing',
      kind: 'refused',
      message: `No build of ${featureId.slice(0, 80)} to discard.${didYouMean(near === featureId ? undefined : near)}`,
      hint: 'It was never built here or is already discarded, so it has no worktree and no branch.',
    });
  }
  return {
    featureId,
    branch: build.branch,
    worktree: build.worktree,
    tasks: startedTasks(ledger, project, featureId).map(({ taskId }) => taskId),
  };
}

/** Removes the feature's worktree and branch and resets its tasks. Turns stay in the ledger and on their refs. */
export async function discardFeature(
  { repository, ledger, project }: Pick<BuildSettings, 'repository' | 'ledger' | 'project'>,
  plan: DiscardPlan,
  { by, reason, at }: { by: string; reason: string; at: number },
): Promise<RemovedWorktree> {
  const left = await removeWorktree(repository, plan, at);
  ledger.appendMany(project, [
    ...plan.tasks.map((task_id) => ({ kind: 'task_reset', body: { task_id, by, reason } })),
    {
      kind: 'feature_discarded',
      body: { feature_id: plan.featureId, tip: left.tip, kept: left.kept, reason, by },
    },
  ]);
  return left;
}
