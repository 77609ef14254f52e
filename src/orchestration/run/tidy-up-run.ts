import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { GuardKitError } from '../../guardkit-error.ts';
import { worktreesRoot } from '../../verification/verify.ts';
import { lockFeature, lockRun } from '../feature-build/build-locks.ts';
import { branchOf } from '../feature-build/feature-worktree.ts';
import { removeWorktree } from '../feature-build/remove-worktree.ts';
import { endedSessions, type KeptSession } from '../session-record/kept-session.ts';
import { dropBranch } from './run-branch.ts';
import { initializerId, runDetails } from './run-details.ts';
import type { RunSettings } from './run-settings.ts';

type TidyUpContext = Pick<RunSettings, 'home' | 'project' | 'repository' | 'config' | 'clock' | 'emit'>;

/** Removes the initializer's worktree and an empty branch after a run has ended. */
export async function tidyUpRun(run: TidyUpContext, kept: KeptSession): Promise<void> {
  if (kept.session.phase !== 'ended') return;
  await clearWorktrees(run, [initializerId(kept.session.session)]);
  const { branch, tip, completed, own } = runDetails(kept);
  if (Object.keys(completed).length === 0 && Object.keys(own).length === 0)
    await dropBranch(run.repository, branch, tip);
}

/** The same after a person abandoned a run; if a process still drives it, that process tidies up itself. */
export async function tidyUpAbandoned(run: TidyUpContext, kept: KeptSession): Promise<void> {
  const lock = await lockRun(run.home, run.project).catch((error: unknown) => {
    if (error instanceof GuardKitError && error.code === 'run.taken') return undefined;
    throw error;
  });
  if (!lock) return;
  try {
    await tidyUpRun(run, kept);
  } finally {
    lock.release();
  }
}

const EARLIER_RUNS = 50;

/** Tidies up runs that ended without it. */
export async function tidyUpEarlier(run: TidyUpContext & Pick<RunSettings, 'ledger'>): Promise<void> {
  for (const kept of endedSessions(run.ledger, run.project, EARLIER_RUNS))
    if (kept.session.driven_by === 'run') await tidyUpRun(run, kept);
}

/**
 * Removes the worktrees of completed features: with their installed packages, those of a whole night would fill a disk.
 * Every turn stays on its ref.
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
        await removeWorktree(
          repository,
          { featureId: feature, branch: branchOf(feature), worktree },
          clock(),
        );
      } finally {
        lock.release();
      }
    } catch (error) {
      // Safe: a remaining folder only costs disk space.
      const why = error instanceof Error ? error.message : String(error);
      emit({ type: 'notice', text: `could not remove the worktree of ${feature}: ${why}` });
    }
  }
}
