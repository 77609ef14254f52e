import { verificationSchema } from '../../domain/entities/verification.ts';
import { OUTSIDE_THE_TREE } from '../../domain/protection/project-paths.ts';
import { changedPaths, listTree, treeWithout } from '../../platform/git/git-tree.ts';
import type { Repository } from '../../platform/git/repository.ts';
import type { LedgerEntry } from '../../store/ledger/chain/ledger-entry.ts';
import { buildBeganSchema } from '../../store/ledger/kinds/sessions/builds.ts';
import { featureBegunSchema } from '../../store/ledger/kinds/work/feature-lifecycle.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { commitOfTree, settledCommit } from './commit-to-start-from.ts';
import type { Base } from './find-base.ts';

export interface FeatureBaseRequest {
  repository: Repository;
  ledger: Ledger;
  project: string;
  featureId: string;
  /** The base of any change here: the merge base with main, or HEAD. Its definitions are in force. */
  fork: Base;
  /** The commit at which the working agent started; undefined without one. */
  beforeAgents: string | undefined;
}

/**
 * The commit that a feature's work is judged against: where it began, for the feature's whole life, also after its work
 * was committed, rebased or merged. Definitions and test commands stay those of the fork, so that a person's later
 * changes to them count.
 */
export async function baseOfFeature(request: FeatureBaseRequest): Promise<Base> {
  const { repository, ledger, project, featureId, fork, beforeAgents } = request;
  const head = await repository.commit('HEAD');
  const of = (commit: string, why: string): Base => ({ ...fork, commit, why, rules: fork.commit });
  const recorded = readBeginning(ledger, project, featureId);
  const began = recorded && head && (await beginningIn(request, recorded, head));
  if (!recorded || began === undefined) {
    const known = beforeAgents && [beforeAgents, ...(fork.provenance?.provenance.trusted ?? [])];
    const settled = await settledCommit(repository, request, fork.commit, known || undefined);
    return settled === fork.commit ? fork : of(settled, 'before the commits of the agent at work');
  }
  if (began === fork.commit) return fork;
  return (await hasTakenInMain(request, recorded, began, head))
    ? fork
    : of(began, `where work on ${featureId} began`);
}

/** The recorded commit, or its rebased successor; undefined without common history with HEAD. */
async function beginningIn(
  request: FeatureBaseRequest,
  { commit, tree }: RecordedBeginning,
  head: string,
): Promise<string | undefined> {
  const { repository, fork } = request;
  if (await repository.isAncestor(commit, head)) {
    if (tree === undefined) return commit;
    return (await commitOfTree(repository, request, { began: commit, tree, head })) ?? commit;
  }
  const shared = await repository.attempt(['merge-base', head, commit]);
  if (shared.exitCode !== 0) return undefined;
  const common = shared.stdout.trim();
  const isOnMain = fork.commit !== head && (await repository.isAncestor(common, fork.commit));
  return followRewritten(repository, commit, isOnMain ? fork.commit : common, head);
}

/**
 * Whether the feature's branch merged main, or was rebased onto it, since work began: those changes are not the
 * feature's. Main must be a person's up to there and must not contain the feature's own work.
 */
async function hasTakenInMain(
  { repository, fork }: FeatureBaseRequest,
  { commit, passedTree }: RecordedBeginning,
  began: string,
  head: string | undefined,
): Promise<boolean> {
  if (fork.commit === head || !(await repository.isAncestor(began, fork.commit))) return false;
  if (fork.provenance && !fork.provenance.commits.includes(fork.commit)) return false;
  return passedTree === undefined || !(await hasWork(repository, commit, passedTree, fork.commit));
}

/** Whether a commit contains any file as the feature's verified work left it. */
async function hasWork(
  repository: Repository,
  began: string,
  passedTree: string,
  commit: string,
): Promise<boolean> {
  // Git may have pruned it; the recorded beginning is then the safe answer.
  if ((await repository.attempt(['cat-file', '-e', passedTree])).exitCode !== 0) return true;
  const before = await treeWithout(repository, began, OUTSIDE_THE_TREE);
  const changed = await changedPaths(repository, before, passedTree);
  const paths = new Set(changed.filter(({ change }) => change !== 'deleted').map(({ path }) => path));
  const left = new Map((await listTree(repository, passedTree)).map(({ path, object }) => [path, object]));
  const there = await listTree(repository, commit);
  return there.some(({ path, object }) => paths.has(path) && left.get(path) === object);
}

const MAX_COMMITS = 500;

/**
 * Finds a commit again after its branch was rebased: the last commit after `from` with only those patches below it that
 * were below the old commit. A new, altered or reordered patch ends the search, so that rewriting history never moves a
 * beginning past new work.
 */
async function followRewritten(
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

/** Oldest first. A commit without a patch, such as a merge, gets a unique id. */
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

interface RecordedBeginning {
  commit: string;
  /** The tree of the last passing verification; undefined if the commit is only where work began. */
  passedTree: string | undefined;
  /** The files with which work began, if known. */
  tree?: string | undefined;
}

/**
 * The recorded base of a feature: that of its last passing verification, else the commit where its work first began. A
 * discarded feature starts over.
 */
function readBeginning(ledger: Ledger, project: string, featureId: string): RecordedBeginning | undefined {
  const newestFirst = (kind: string) =>
    ledger.lookup(project, { kind, field: 'feature_id', value: featureId });
  const discarded = newestFirst('feature_discarded').next().value?.number ?? 0;
  for (const { number, body } of newestFirst('verification_recorded')) {
    if (number < discarded) break;
    const { task_id, outcome, base_commit, tree } = verificationSchema.parse(body);
    if (task_id === null && outcome === 'pass') return { commit: base_commit, passedTree: tree };
  }
  const first = [...newestFirst('feature_begun'), ...newestFirst('build_began')]
    .filter(({ number }) => number > discarded)
    .reduce<LedgerEntry | undefined>((a, b) => (a && a.number < b.number ? a : b), undefined);
  if (!first) return undefined;
  if (first.kind === 'build_began')
    return { commit: buildBeganSchema.parse(first.body).base_commit, passedTree: undefined };
  const { commit, tree } = featureBegunSchema.parse(first.body);
  return { commit, passedTree: undefined, tree: tree ?? undefined };
}

/** Records where work on a feature began, if that is not yet recorded. */
export function recordBeginning(
  ledger: Ledger,
  project: string,
  featureId: string,
  began: { commit: string; tree?: string },
): void {
  if (readBeginning(ledger, project, featureId)) return;
  const { commit, tree = null } = began;
  ledger.append(project, 'feature_begun', { feature_id: featureId, commit, tree });
}
