import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Feature } from '../../domain/entities/feature.ts';
import { verificationSchema } from '../../domain/entities/verification.ts';
import { isTaskPlan, OUTSIDE_THE_TREE } from '../../domain/protection/project-paths.ts';
import { changedPaths, overlayTree, type PathChange, treeWithout } from '../../platform/git/git-tree.ts';
import type { Repository } from '../../platform/git/repository.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { turnRecord } from '../turns/turn-record.ts';
import type { BuildRecord } from './build-record.ts';
import * as refusals from './completion-refusals.ts';
import { findCurrentBuild } from './current-build.ts';
import { mergeTrees, namedPrograms, requireQuietBranch } from './merge-trees.ts';

interface CompletionRequest {
  /** The person's own checkout. */
  repository: Repository;
  ledger: Ledger;
  project: string;
  record: BuildRecord;
  /** All current tasks of the feature. */
  tasks: readonly string[];
  /** Reads the feature, with `tested` as of the files now. */
  readKnown(): Promise<Pick<Feature, 'tested' | 'tested_tree' | 'closed'> | undefined>;
}

export interface CompletionPlan {
  featureId: string;
  /** Null if there was no build: the work was done on the person's branch. */
  built: { branch: string; worktree: string } | null;
  tip: string;
  /** The person's branch and its last commit. */
  into: string;
  head: string;
  commits: { commit: string; subject: string }[];
  files: PathChange[];
  /** The tree after the merge; null if the branch already has the feature. */
  tree: string | null;
  /** The person's branch has newer commits: the merged tree was never verified. */
  together: boolean;
}

/** Plans a merge without changing anything; throws if it is not possible. */
export async function planCompletion(request: CompletionRequest): Promise<CompletionPlan> {
  const { repository, ledger, project, record, tasks } = request;
  const { featureId } = record;
  const build = findCurrentBuild(ledger, project, featureId);
  if (!build) return planOwnWork(request);
  const open = tasks.filter((id) => record.outcome(id)?.outcome !== 'approved');
  if (open.length > 0)
    throw refusals.notApproved(
      featureId,
      open.map((id) => ({ id, outcome: record.outcome(id)?.outcome ?? 'not built to its end' })),
    );
  const tip = await repository.commit(`refs/heads/${build.branch}`);
  if (tip === undefined)
    throw build.completed ? refusals.completedBefore(featureId) : refusals.branchGone(build.branch);
  const { into, head } = await requireQuietBranch(repository);
  await requireFresh(request, tip, head, build.worktree);
  const { branch, worktree } = build;
  const plan = { featureId, built: { branch, worktree }, tip, into, head };
  if (await repository.isAncestor(tip, head))
    return { ...plan, commits: [], files: [], tree: null, together: false };
  const merged = await mergeTrees(repository, head, tip);
  if (merged.conflicts.length > 0) throw refusals.conflicts(build.branch, into, merged.conflicts);
  const tree = await withoutPlans(repository, head, merged.tree);
  const files = await changedPaths(repository, head, tree);
  await requireUntouched(repository, files);
  const programs = await namedPrograms(
    repository,
    files.map(({ path }) => path),
  );
  if (programs.length > 0) throw refusals.needsPrograms(featureId, build.branch, programs);
  return {
    ...plan,
    commits: await commitsBetween(repository, head, tip),
    files,
    tree,
    together: !(await repository.isAncestor(head, tip)),
  };
}

/** Work without a build is completed where it is, if the commit is what was verified. */
async function planOwnWork({ repository, record, readKnown }: CompletionRequest): Promise<CompletionPlan> {
  const { featureId } = record;
  const known = await readKnown();
  if (known?.closed) throw refusals.completedBefore(featureId);
  if (!known?.tested || known.tested_tree === null) throw refusals.nothingBuilt(featureId);
  const { into, head } = await requireQuietBranch(repository);
  const committed = await treeWithout(repository, head, OUTSIDE_THE_TREE);
  if (committed !== known.tested_tree) {
    const missing = await changedPaths(repository, committed, known.tested_tree);
    throw refusals.notCommitted(
      featureId,
      missing.map(({ path }) => path),
    );
  }
  return {
    featureId,
    built: null,
    tip: head,
    into,
    head,
    commits: [],
    files: [],
    tree: null,
    together: false,
  };
}

/** The merged tree with the task plans of the person's branch: a build's plans are not merged. */
async function withoutPlans(repository: Repository, head: string, tree: string): Promise<string> {
  const changed = (await changedPaths(repository, head, tree)).map(({ path }) => path).filter(isTaskPlan);
  return changed.length === 0 ? tree : overlayTree(repository, tree, head, changed);
}

/** The branch must be at the approved commit, or at one that was verified since and changes no rule. */
async function requireFresh(
  { repository, ledger, project, record, tasks }: CompletionRequest,
  tip: string,
  head: string,
  worktree: string,
): Promise<void> {
  const approved = tasks.map((id) => approvedTurn(record, id));
  for (const { taskId, commit } of approved) {
    const there = commit !== undefined && (await repository.isAncestor(commit, tip));
    if (!there) throw refusals.workMissing(record.featureId, taskId);
  }
  const tree = await treeWithout(repository, tip, OUTSIDE_THE_TREE);
  if (approved.some((one) => one.commit === tip && one.tree === tree)) return;
  const [fork] = (await repository.run(['merge-base', head, tip])).trim().split('\n');
  const rules = (await changedPaths(repository, fork ?? head, tip))
    .map(({ path }) => path)
    .filter((path) => OUTSIDE_THE_TREE.some((folder) => path.startsWith(`${folder}/`)));
  if (rules.length > 0) throw refusals.changesRules(record.featureId, rules);
  for (const { body } of ledger.entries(project, { kind: 'verification_recorded' })) {
    const { feature_id, task_id, outcome, base_commit, ...verified } = verificationSchema.parse(body);
    const whole = feature_id === record.featureId && (task_id === null || tasks.length === 1);
    if (!whole || outcome !== 'pass' || verified.tree !== tree) continue;
    if (await repository.isAncestor(base_commit, fork ?? head)) return;
  }
  throw refusals.stale(record.featureId, tip, worktree);
}

function approvedTurn(record: BuildRecord, taskId: string) {
  const turn = record.turns(taskId).findLast(({ coach_decision }) => coach_decision === 'approved');
  const commit = record
    .steps(taskId)
    .findLast(({ step, turn: number }) => step === 'committed' && number === turn?.turn_number)?.data.commit;
  return {
    taskId,
    commit: typeof commit === 'string' ? commit : undefined,
    tree: turn ? turnRecord(turn).tree : null,
  };
}

/** Refuses to overwrite uncommitted files, including ignored ones. */
async function requireUntouched(repository: Repository, files: readonly PathChange[]): Promise<void> {
  const status = await repository.run([
    'status',
    '--porcelain',
    '-z',
    '--no-renames',
    '--untracked-files=all',
  ]);
  const dirty = new Set(status.split('\0').map((line) => line.slice(3)));
  const inTheWay = files.filter(
    ({ path, change }) =>
      dirty.has(path) ||
      (change === 'added' && lstatSync(join(repository.root, path), { throwIfNoEntry: false })),
  );
  if (inTheWay.length > 0) throw refusals.inTheWay(inTheWay.map(({ path }) => path));
}

async function commitsBetween(
  repository: Repository,
  head: string,
  tip: string,
): Promise<CompletionPlan['commits']> {
  const text = await repository.run(['log', '--reverse', '-z', '--format=%H %s', `${head}..${tip}`]);
  return text
    .split('\0')
    .filter((line) => line !== '')
    .map((line) => ({
      commit: line.slice(0, line.indexOf(' ')),
      subject: line.slice(line.indexOf(' ') + 1),
    }));
}

const IDENTITY = [
  'GIT_AUTHOR_NAME',
  'GIT_AUTHOR_EMAIL',
  'GIT_COMMITTER_NAME',
  'GIT_COMMITTER_EMAIL',
] as const;

/** Merges as planned, in the person's name, and records it. The merge commit is complete before any file changes. */
export async function completeFeature(
  { repository, ledger, project }: { repository: Repository; ledger: Ledger; project: string },
  plan: CompletionPlan,
  { by, title, env }: { by: string; title: string; env: NodeJS.ProcessEnv },
): Promise<string> {
  const commit = plan.tree === null ? plan.head : await merge(repository, plan, plan.tree, title, env);
  const { featureId: feature_id, tip, into } = plan;
  ledger.append(project, 'feature_completed', { feature_id, tip, commit, into, by });
  return commit;
}

async function merge(
  repository: Repository,
  { featureId, built, head, tip, into }: CompletionPlan,
  tree: string,
  title: string,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const person = Object.fromEntries(
    IDENTITY.flatMap((name) => (env[name] ? [[name, env[name]] as const] : [])),
  );
  const known = await repository.attempt(['var', 'GIT_COMMITTER_IDENT'], { env: person });
  if (known.exitCode !== 0) throw refusals.nobody(known.stderr);
  const message = `Merge ${built?.branch ?? tip}\n\n${featureId}: ${title}`;
  const args = ['commit-tree', tree, '-p', head, '-p', tip, '-m', message];
  const commit = (await repository.run(args, { env: person })).trim();
  // Fast-forward only: a branch or file that changed meanwhile stops the merge before anything is written.
  const forward = [
    '--ff-only',
    '--no-squash',
    '--commit',
    '--no-autostash',
    '--no-overwrite-ignore',
    '--no-stat',
  ];
  const moved = await repository.attempt(['merge', '--quiet', ...forward, '--no-verify-signatures', commit], {
    env: person,
    timeoutMs: 10 * 60_000,
  });
  if (moved.exitCode !== 0) throw refusals.moved(into, moved.stderr);
  return commit;
}
