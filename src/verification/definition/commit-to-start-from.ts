import { verificationSchema } from '../../domain/entities/verification.ts';
import { OUTSIDE_THE_TREE } from '../../domain/protection/project-paths.ts';
import { treeWithout } from '../../platform/git/git-tree.ts';
import type { Repository } from '../../platform/git/repository.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';

/** The search for a verified commit ends after this many unverified commits of agents. */
const MAX_SEARCHED = 200;

/**
 * The nearest commit from which new work may begin, going back from `start` along first parents: one from before the
 * working agents started, a person's, or one whose tree passed verification. Committing an agent's unverified work
 * never makes it a base.
 */
export async function settledCommit(
  repository: Repository,
  { ledger, project }: { ledger: Ledger; project: string },
  start: string,
  /** Commits that, with all earlier ones, are not an agent's; undefined if no agent is working. */
  settled: readonly string[] | undefined,
): Promise<string> {
  if (!settled) return start;
  const unsettled = await commitsNotIn(repository, start, settled);
  if (unsettled.length === 0) return start;
  const passed = passedTrees(ledger, project);
  for (const { commit } of unsettled.slice(0, MAX_SEARCHED))
    if (passed.has(await treeWithout(repository, commit, OUTSIDE_THE_TREE))) return commit;
  // Without any commit of a person, the first commit is the best base.
  const last = unsettled.at(-1);
  return last?.parent ?? last?.commit ?? start;
}

/**
 * The commit after `began` with the files that work began with, once the verified work of other features among them is
 * committed.
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
