import type { Repository } from '../../platform/git/repository.ts';
import { IDENTITY } from '../feature-build/feature-worktree.ts';
import { mergeTrees } from '../feature-build/merge-trees.ts';

/** The branch's commit with a feature stacked on it. */
export type Stacked = { ok: true; commit: string } | { ok: false; conflicts: string[] };

/** Stacks a feature's branch on the run's: a fast-forward if possible, else a merge. */
export async function stackOn(
  repository: Repository,
  { tip, feature, featureTip, run }: { tip: string; feature: string; featureTip: string; run: string },
): Promise<Stacked> {
  if (await repository.isAncestor(tip, featureTip)) return { ok: true, commit: featureTip };
  if (await repository.isAncestor(featureTip, tip)) return { ok: true, commit: tip };
  const { tree, conflicts } = await mergeTrees(repository, tip, featureTip);
  if (conflicts.length > 0) return { ok: false, conflicts };
  const commit = await mergeCommit(repository, tree, [tip, featureTip], `Stack ${feature}`);
  // Without a ref, git could delete the commit before the branch has it.
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

/** Deletes a branch if it is at `tip` and not checked out. */
export async function dropBranch(repository: Repository, branch: string, tip: string): Promise<void> {
  const name = `refs/heads/${branch}`;
  if ((await repository.commit(name)) !== tip) return;
  const lines = (await repository.run(['worktree', 'list', '--porcelain'])).split('\n');
  if (lines.includes(`branch ${name}`)) return;
  await repository.attempt(['update-ref', '-d', name, tip]);
}

/** Moves the run's branch to the ledger's tip. Returns the ref that keeps commits somebody else put on the branch, if any. */
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
