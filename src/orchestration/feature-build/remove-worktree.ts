import { existsSync, rmSync } from 'node:fs';
import { GuardKitError } from '../../guardkit-error.ts';
import type { Repository } from '../../platform/git/repository.ts';
import { FeatureWorktree } from './feature-worktree.ts';

export interface FeatureFolder {
  featureId: string;
  branch: string;
  /** Its folder. */
  worktree: string;
}

/** Used in place of the task in a ref's name. */
const KEPT_IN = 'worktree';

export interface RemovedWorktree {
  /** The branch's last commit; null if the branch was gone. */
  tip: string | null;
  /** The ref that keeps files and commits that were on no other ref. */
  kept: string | null;
  removed: boolean;
}

/** Removes a feature's worktree and branch; work that is on no other ref is first kept on one. */
export async function removeWorktree(
  main: Repository,
  standing: FeatureFolder,
  at: number,
): Promise<RemovedWorktree> {
  await requireElsewhere(main, standing);
  const tip = (await main.commit(`refs/heads/${standing.branch}`)) ?? null;
  const kept = await keepWork(main, standing, at);
  const removed = await removeFolder(main, standing.worktree);
  await main.run(['worktree', 'prune']);
  if (tip !== null) await main.run(['update-ref', '-d', `refs/heads/${standing.branch}`, tip]);
  return { tip, kept, removed };
}

/** Keeps the worktree's files and the branch's commits on a ref, unless another ref has them. */
async function keepWork(
  main: Repository,
  { featureId, branch, worktree: folder }: FeatureFolder,
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
    // The worktree may be on another commit.
    if (head !== undefined && head !== tip && !(await onOther(head)))
      await main.run(['update-ref', `refs/guardkit/${featureId}/${KEPT_IN}/head-${at}`, head]);
  }
  if (!(await onOther(tip))) await main.run(['update-ref', ref, tip]);
  return (await main.commit(ref)) === undefined ? null : ref;
}

/** Refuses to remove the branch or worktree of the current checkout. */
async function requireElsewhere(main: Repository, { branch, worktree }: FeatureFolder): Promise<void> {
  const here = (await main.attempt(['symbolic-ref', '--quiet', 'HEAD'])).stdout.trim();
  if (main.root !== worktree && here !== `refs/heads/${branch}`) return;
  throw new GuardKitError({
    code: 'worktree.in-use',
    kind: 'refused',
    message: `Cannot remove ${branch}: this checkout (${main.root}) is on it.`,
    hint: 'Run this in your own checkout, on one of your own branches.',
  });
}

/** Whether a folder exists and git lists it as a working tree of this repository. */
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
      message: `Cannot remove ${folder}: ${cause instanceof Error ? cause.message : String(cause)}.`,
      hint: 'Remove the folder yourself, then run this again. Its uncommitted work is kept under refs/guardkit.',
      cause,
    });
  }
}
