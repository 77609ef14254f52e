import { snapshotTree } from '../../platform/git/git-tree.ts';
import type { Repository } from '../../platform/git/repository.ts';

const IDENTITY = {
  GIT_AUTHOR_NAME: 'GuardKit',
  GIT_AUTHOR_EMAIL: 'guardkit@localhost',
  GIT_COMMITTER_NAME: 'GuardKit',
  GIT_COMMITTER_EMAIL: 'guardkit@localhost',
} as const;

/** What no commit of a session holds: where it stands, and one person's own settings. */
const LEFT_OUT = ['.claude/progress', '.claude/settings.local.json'];

/** Keeps the files as they are under a name of GuardKit's own. No branch, index or file of a person is touched. */
export async function keepCommit(repository: Repository, name: string, message: string): Promise<string> {
  const ref = `refs/guardkit/${name}`;
  const [tree, head, earlier] = await Promise.all([
    snapshotTree(repository, LEFT_OUT),
    repository.commit('HEAD'),
    repository.commit(ref),
  ]);
  // What the name stood for before stays within reach.
  const parents = [head, earlier].flatMap((parent) => (parent === undefined ? [] : ['-p', parent]));
  const made = await repository.run(['commit-tree', tree, ...parents, '-m', message], { env: IDENTITY });
  const commit = made.trim();
  await repository.run(['update-ref', ref, commit]);
  return commit;
}
