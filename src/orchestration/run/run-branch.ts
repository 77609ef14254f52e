import type { Repository } from '../../platform/git/repository.ts';
import { IDENTITY } from '../feature-build/feature-worktree.ts';
import { mergeTrees } from '../feature-build/merge-trees.ts';

/** What the branch would be with a feature on it. */
export type Stacked = { ok: true; commit: string } | { ok: false; conflicts: string[] };

/** Puts a feature's branch onto the run's: it is that branch if it started from there, else the two merged. */
export async function stackOn(
  repository: Repository,
  { tip, feature, featureTip, run }: { tip: string; feature: string; featureTip: string; run: string },
): Promise<Stacked> {
  if (await repository.isAncestor(tip, featureTip)) return { ok: true, commit: featureTip };
  if (await repository.isAncestor(featureTip, tip)) return { ok: true, commit: tip };
  const { tree, conflicts } = await mergeTrees(repository, tip, featureTip);
  if (conflicts.length > 0) return { ok: false, conflicts };
  const commit = await mergeCommit(repository, tree, [tip, featureTip], `Stack ${feature}`);
  // Until the branch has it, nothing else would keep it.
  await repository.run(['update-ref', `refs/guardkit/${run}/${feature}/stacked`, commit]);
  return { ok: true, commit };
}

export async function mergeCommit(
  repository: Repository,
  tree: string,
  parents: readonly string[],
  message: string,
): Promise<string> {
  const args = ['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent]), '-m', message];
  return (await repository.run(args, { env: IDENTITY })).trim();
}

/** Takes a branch away that is where it is thought to be; one that somebody has checked out stays. */
export async function dropBranch(repository: Repository, branch: string, tip: string): Promise<void> {
  const name = `refs/heads/${branch}`;
  if ((await repository.commit(name)) !== tip) return;
  const lines = (await repository.run(['worktree', 'list', '--porcelain'])).split('\n');
  if (lines.includes(`branch ${name}`)) return;
  await repository.attempt(['update-ref', '-d', name, tip]);
}

/**
 * Brings git's name for the run to where the ledger has it. Commits that somebody put there beside it are kept on a ref of
 * their own; where that happened, the ref.
 */
export async function followTip(
  repository: Repository,
  branch: string,
  tip: string,
  at: number,
): Promise<string | undefined> {
  const name = `refs/heads/${branch}`;
  const found = await repository.commit(name);
  if (found === tip) return undefined;
  let kept: string | undefined;
  if (found !== undefined && !(await repository.isAncestor(found, tip))) {
    kept = `refs/${branch}/moved-${at}`;
    await repository.run(['update-ref', kept, found]);
  }
  await repository.run(['update-ref', name, tip, ...(found === undefined ? [] : [found])]);
  return kept;
}
