import { GuardKitError } from '../../guardkit-error.ts';
import type { Repository } from '../../platform/git/repository.ts';
import type { BaseProvenance } from './provenance.ts';

export interface Base {
  commit: string;
  /** How it was found, for people. */
  why: string;
  /** The commit whose definitions and test commands hold, where that is not the base itself. */
  rules?: string | undefined;
  /** Which of its definitions are a person's; undefined where no agent was ever watched. */
  provenance?: BaseProvenance | undefined;
}

/** Who names a base: a person may take any, such as a branch that theirs is stacked on. */
export type BaseChooser = 'person' | 'anybody';

const USUAL_BRANCHES = ['main', 'master', 'trunk', 'develop'];

/** The commit that a change is judged against: what was asked for, or where this branch left the default one. */
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
  return { commit, why: commit === head ? 'HEAD' : `where this branch left ${shortName(branch)}` };
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

/** What a branch itself committed may be the candidate's own, which must not say how it is judged. */
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
    message: `--base "${asked.slice(0, 100)}" is not on ${shortName(branch)}: this branch could have set by it how it is judged.`,
    hint: `Leave --base out to judge against where this branch left ${shortName(branch)}, or name a commit from before that; a person at a terminal may name any.`,
  });
}

/** The local one first: it is what a person commits to. */
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
    message: 'This repository has no commit yet, so there is nothing that a change could be judged against.',
    hint: 'Commit the project with its .guardkit/config.yaml first, then make the change.',
  });
}

function unknownBase(asked: string): GuardKitError {
  return new GuardKitError({
    code: 'base.unknown',
    kind: 'input',
    message: `--base "${asked.slice(0, 100)}" is no commit of this repository.`,
    hint: 'Give a branch, a tag or a commit; `git log --oneline` lists commits.',
  });
}

function noForkPoint(branch: string): GuardKitError {
  return new GuardKitError({
    code: 'base.no-fork-point',
    kind: 'input',
    message: `This checkout and ${shortName(branch)} have no commit in common, as far as this clone knows.`,
    hint: 'Say with --base which commit the change starts from; in a shallow clone run `git fetch --unshallow` first.',
  });
}
