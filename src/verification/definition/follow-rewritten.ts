import type { Repository } from '../../platform/git/repository.ts';

const MAX_COMMITS = 500;

/**
 * Finds a commit again after its branch was rebased: the last commit after `from` that only patches stand below which
 * stood below the commit before. A patch that is new, altered or moved ahead ends the search, so that rewriting history
 * never moves a beginning past new work.
 */
export async function followRewritten(
  repository: Repository,
  lost: string,
  from: string,
  head: string,
): Promise<string> {
  const forked = await repository.attempt(['merge-base', head, lost]);
  if (forked.exitCode !== 0) return from;
  const before = new Set((await patches(repository, forked.stdout.trim(), lost)).map(({ patch }) => patch));
  let found = from;
  for (const { commit, patch } of await patches(repository, from, head)) {
    if (!before.has(patch)) break;
    found = commit;
  }
  return found;
}

/** Oldest first. A commit without a patch of its own, such as a merge, has an id that nothing else has. */
async function patches(
  repository: Repository,
  from: string,
  to: string,
): Promise<{ commit: string; patch: string }[]> {
  const range = `${from}..${to}`;
  const listed = (await repository.run(['rev-list', '--reverse', '--topo-order', range])).split('\n');
  const commits = listed.filter((line) => line !== '');
  if (commits.length === 0 || commits.length > MAX_COMMITS) return [];
  const log = await repository.run(['log', '--no-merges', '--format=%H', '-p', '--no-ext-diff', range]);
  const ids = await repository.run(['patch-id', '--stable'], { input: log });
  const byCommit = new Map(
    ids
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split(' ').reverse() as [string, string]),
  );
  return commits.map((commit) => ({ commit, patch: byCommit.get(commit) ?? commit }));
}
