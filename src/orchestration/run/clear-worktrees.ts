import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { worktreesRoot } from '../../verification/verify.ts';
import { branchOf } from '../feature-build/feature-worktree.ts';
import { leaveWorktree } from '../feature-build/leave-worktree.ts';
import { lockFeature } from '../feature-build/lock-feature.ts';
import type { RunSettings } from './run-context.ts';

/**
 * Takes away the worktrees of features that the run's branch has: with what is installed in them, those of a whole night
 * would fill a disk. Every turn stays on its ref.
 */
export async function clearWorktrees(
  run: Pick<RunSettings, 'home' | 'project' | 'repository' | 'config' | 'clock' | 'emit'>,
  features: readonly string[],
): Promise<void> {
  const { home, project, repository, config, clock, emit } = run;
  const root = worktreesRoot({ home, project, definition: { config } });
  for (const feature of features) {
    const worktree = join(root, feature);
    if (!existsSync(worktree)) continue;
    try {
      const lock = await lockFeature(home, project, feature);
      try {
        await leaveWorktree(repository, { featureId: feature, branch: branchOf(feature), worktree }, clock());
      } finally {
        lock.release();
      }
    } catch (error) {
      // Safe: a folder that stays costs room and nothing else.
      const why = error instanceof Error ? error.message : String(error);
      emit({ type: 'notice', text: `the worktree of ${feature} stays: ${why}` });
    }
  }
}
