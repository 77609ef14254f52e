import { verificationSchema } from '../../domain/entities/verification.ts';
import { OUTSIDE_THE_TREE } from '../../domain/protection/outside-the-tree.ts';
import { treeWithout } from '../../platform/git/git-tree.ts';
import type { Repository } from '../../platform/git/repository.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';

/** More unverified commits of agents in a row are not searched for a verified one. */
const MAX_SEARCHED = 200;

/**
 * The nearest commit, going back from `start` along first parents, from which new work may begin: one from before the
 * agents at work began, a person's, or one whose tree passed verification. An agent's unverified commits never become a
 * base by being committed.
 */
export async function settledCommit(
  repository: Repository,
  { ledger, project }: { ledger: Ledger; project: string },
  start: string,
  /** Commits that are not an agent's, with all before them; undefined where no agent is at work. */
  settled: readonly string[] | undefined,
): Promise<string> {
  if (!settled) return start;
  const unsettled = await commitsNotIn(repository, start, settled);
  if (unsettled.length === 0) return start;
  const passed = passedTrees(ledger, project);
  for (const { commit } of unsettled.slice(0, MAX_SEARCHED))
    if (passed.has(await treeWithout(repository, commit, OUTSIDE_THE_TREE))) return commit;
  // A history without any commit of a person has no better base than its first commit.
  const last = unsettled.at(-1);
  return last?.parent ?? last?.commit ?? start;
}

/**
 * The commit after `began` that has the files with which work began, once the verified work of other features that they
 * contained is committed.
 */
export async function commitOfTree(
  repository: Repository,
  { ledger, project }: { ledger: Ledger; project: string },
  { began, tree, head }: { began: string; tree: string; head: string },
): Promise<string | undefined> {
  if (!passedTrees(ledger, project).has(tree)) return undefined;
  const commits = await commitsNotIn(repository, head, [began]);
  for (const { commit } of commits.slice(-MAX_SEARCHED))
    if ((await treeWithout(repository, commit, OUTSIDE_THE_TREE)) === tree) return commit;
  return undefined;
}

async function commitsNotIn(
  repository: Repository,
  start: string,
  known: readonly string[],
): Promise<{ commit: string; parent: string | undefined }[]> {
  const question = [start, ...known.map((tip) => `^${tip}`)].join('\n');
  const args = ['rev-list', '--first-parent', '--parents', '--ignore-missing', '--stdin'];
  const listed = await repository.run(args, { input: `${question}\n` });
  return listed
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [commit = '', parent] = line.split(' ');
      return { commit, parent };
    });
}

function passedTrees(ledger: Ledger, project: string): ReadonlySet<string> {
  const entries = ledger.entries(project, { kind: 'verification_recorded' });
  return new Set(
    entries
      .map(({ body }) => verificationSchema.parse(body))
      .filter(({ task_id, outcome }) => task_id === null && outcome === 'pass')
      .map(({ tree }) => tree),
  );
}
