import { existsSync, rmSync } from 'node:fs';
import { GuardKitError } from '../../guardkit-error.ts';
import type { Repository } from '../../platform/git/repository.ts';
import { FeatureWorktree } from './feature-worktree.ts';

export interface StandingWorktree {
  featureId: string;
  branch: string;
  /** Its folder. */
  worktree: string;
}

/** Stands where a turn's ref has the task. */
const KEPT_IN = 'worktree';

export interface LeftWorktree {
  /** The branch's last commit; null where there was none. */
  tip: string | null;
  /** The ref on which files and commits lie that were on no other. */
  kept: string | null;
  removed: boolean;
}

/** Takes away the worktree and the branch of a feature; whatever is on no ref is put onto one first. */
export async function leaveWorktree(
  main: Repository,
  standing: StandingWorktree,
  at: number,
): Promise<LeftWorktree> {
  await requireElsewhere(main, standing);
  const tip = (await main.commit(`refs/heads/${standing.branch}`)) ?? null;
  const kept = await keepWork(main, standing, at);
  const removed = await removeFolder(main, standing.worktree);
  await main.run(['worktree', 'prune']);
  if (tip !== null) await main.run(['update-ref', '-d', `refs/heads/${standing.branch}`, tip]);
  return { tip, kept, removed };
}

/** Puts what lies in the worktree, and what the branch has, onto a ref, unless it is on one already. */
async function keepWork(
  main: Repository,
  { featureId, branch, worktree: folder }: StandingWorktree,
  at: number,
): Promise<string | null> {
  const own = `refs/heads/${branch}`;
  const tip = await main.commit(own);
  if (tip === undefined) return null;
  const ref = `refs/guardkit/${featureId}/${KEPT_IN}/kept-${at}`;
  const onOther = async (commit: string) => {
    const refs = await main.run(['for-each-ref', '--contains', commit, '--format=%(refname)']);
    return refs.split('\n').some((name) => name !== '' && name !== own);
  };
  if (await isWorktree(main, folder)) {
    const worktree = await FeatureWorktree.open(main, { folder, featureId, base: tip });
    const head = await worktree.repository.commit('HEAD');
    await worktree.restore(tip, KEPT_IN, at);
    // Somebody may have gone to another commit in there.
    if (head !== undefined && head !== tip && !(await onOther(head)))
      await main.run(['update-ref', `refs/guardkit/${featureId}/${KEPT_IN}/head-${at}`, head]);
  }
  if (!(await onOther(tip))) await main.run(['update-ref', ref, tip]);
  return (await main.commit(ref)) === undefined ? null : ref;
}

/** Nobody saws off the branch that they sit on. */
async function requireElsewhere(main: Repository, { branch, worktree }: StandingWorktree): Promise<void> {
  const here = (await main.attempt(['symbolic-ref', '--quiet', 'HEAD'])).stdout.trim();
  if (main.root !== worktree && here !== `refs/heads/${branch}`) return;
  throw new GuardKitError({
    code: 'worktree.in-use',
    kind: 'refused',
    message: `This checkout (${main.root}) is on ${branch}, which is to be taken away.`,
    hint: 'Run this in your own checkout, on a branch of yours.',
  });
}

/** Whether a folder is there and is one of this repository's working trees, by the repository's own word. */
async function isWorktree(main: Repository, folder: string): Promise<boolean> {
  if (!existsSync(folder)) return false;
  const lines = (await main.run(['worktree', 'list', '--porcelain'])).split('\n');
  return lines.includes(`worktree ${folder}`) && folder !== main.root;
}

async function removeFolder(main: Repository, folder: string): Promise<boolean> {
  if (!(await isWorktree(main, folder))) return false;
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    return true;
  } catch (cause) {
    throw new GuardKitError({
      code: 'worktree.not-removed',
      kind: 'outside',
      message: `${folder} could not be removed: ${cause instanceof Error ? cause.message : String(cause)}.`,
      hint: 'Remove that folder yourself, then run this again. What was in it and on no ref is kept under refs/guardkit.',
      cause,
    });
  }
}
