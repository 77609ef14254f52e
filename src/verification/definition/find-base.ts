import { GuardKitError } from '../../guardkit-error.ts';
import type { Repository } from '../../platform/git/repository.ts';
import type { BaseProvenance } from './provenance.ts';

export interface Base {
  commit: string;
  /** How it was chosen, for people. */
  why: string;
  /** The commit whose definitions and test commands are in force, if it is not the base itself. */
  rules?: string | undefined;
  /** A later commit of the branch, which may define work that the base does not have. */
  addsFrom?: { commit: string; isPersons: boolean } | undefined;
  /** Which of its definitions are a person's; undefined if no agent was ever watched. */
  provenance?: BaseProvenance | undefined;
}

/** Who names a base. A person may name any, such as the branch that theirs is stacked on. */
export type BaseChooser = 'person' | 'anybody';

const USUAL_BRANCHES = ['main', 'master', 'trunk', 'develop'];

/** The commit that a change is judged against: the requested one, or the merge base with the default branch. */
export async function findBase(
  repository: Repository,
  asked: string | undefined,
  by: BaseChooser = 'anybody',
): Promise<Base> {
  const head = await repository.commit('HEAD');
  if (head === undefined) throw noCommits();
  if (asked !== undefined)
    return { commit: await requireAncestor(repository, asked, by), why: `--base ${asked}` };
  const [branch] = await defaultBranches(repository);
  if (branch === undefined) return { commit: head, why: 'HEAD, as there is no main branch' };
  const forked = await repository.attempt(['merge-base', 'HEAD', branch]);
  if (forked.exitCode !== 0) throw noForkPoint(branch);
  const commit = forked.stdout.trim();
  return { commit, why: commit === head ? 'HEAD' : `where this branch forked from ${shortName(branch)}` };
}

async function requireAncestor(repository: Repository, asked: string, by: BaseChooser): Promise<string> {
  const commit = await repository.commit(asked);
  if (commit === undefined) throw unknownBase(asked);
  const forked = await repository.attempt(['merge-base', 'HEAD', commit]);
  if (forked.exitCode !== 0) throw noForkPoint(asked);
  const base = forked.stdout.trim();
  if (by !== 'person') await requireOnDefaultBranch(repository, base, asked);
  return base;
}

/** A branch's own commits may be the candidate's, which must not decide how it is judged. */
async function requireOnDefaultBranch(repository: Repository, base: string, asked: string): Promise<void> {
  const branches = await defaultBranches(repository);
  for (const branch of branches) {
    if (await repository.isAncestor(base, branch)) return;
  }
  const [branch] = branches;
  if (branch === undefined) return;
  throw new GuardKitError({
    code: 'base.not-on-main',
    kind: 'refused',
    message: `--base "${asked.slice(0, 100)}" is not on ${shortName(branch)}: a branch must not choose its own rules.`,
    hint: `Omit --base to use the merge base with ${shortName(branch)}, or give an earlier commit; a person at a terminal may choose any commit.`,
  });
}

/** The local branch first: a person commits to it. */
async function defaultBranches(repository: Repository): Promise<string[]> {
  const remote = await repository.attempt(['symbolic-ref', '--quiet', 'refs/remotes/origin/HEAD']);
  const named = remote.exitCode === 0 ? remote.stdout.trim().replace('refs/remotes/origin/', '') : undefined;
  const names = named === undefined ? USUAL_BRANCHES : [named, ...USUAL_BRANCHES];
  const wanted = [
    ...names.map((name) => `refs/heads/${name}`),
    ...names.map((name) => `refs/remotes/origin/${name}`),
  ];
  const listed = await repository.run(['for-each-ref', '--format=%(refname)', ...wanted]);
  const found = new Set(listed.split('\n'));
  return [...new Set(wanted)].filter((ref) => found.has(ref));
}

function shortName(ref: string): string {
  return ref.replace(/^refs\/(?:heads|remotes)\//, '');
}

export function noCommits(): GuardKitError {
  return new GuardKitError({
    code: 'base.no-commits',
    kind: 'input',
    message: 'This repository has no commit yet; a change is judged against one.',
    hint: 'Commit the project with its .guardkit/config.yaml first, then make the change.',
  });
}

function unknownBase(asked: string): GuardKitError {
  return new GuardKitError({
    code: 'base.unknown',
    kind: 'input',
    message: `--base "${asked.slice(0, 100)}": no such commit.`,
    hint: 'Give a branch, a tag or a commit; `git log --oneline` lists commits.',
  });
}

function noForkPoint(branch: string): GuardKitError {
  return new GuardKitError({
    code: 'base.no-fork-point',
    kind: 'input',
    message: `This checkout and ${shortName(branch)} have no common commit in this clone.`,
    hint: 'Specify the commit before the change with --base; in a shallow clone run `git fetch --unshallow` first.',
  });
}
