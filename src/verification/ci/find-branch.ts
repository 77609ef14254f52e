import { GuardKitError } from '../../guardkit-error.ts';
import type { Repository } from '../../platform/git/repository.ts';
import { type Base, findBase, noCommits } from '../definition/find-base.ts';
import type { NamedBase } from './ci-event.ts';

/** The branch that a CI job judges. */
export interface Branch {
  /** The commit to judge. */
  head: string;
  /** Its rules apply. */
  base: Base;
  /** The newest commit of the branch that it is to be merged into. */
  target: string;
}

/** Finds the base of HEAD: the merge base with `asked`, with the branch that the CI system names, or with main. */
export async function findBranch(
  repository: Repository,
  asked: string | undefined,
  named: NamedBase | undefined,
): Promise<Branch> {
  const head = await repository.commit('HEAD');
  if (head === undefined) throw noCommits();
  // In a shallow clone git can name a wrong merge base without noticing.
  if (repository.folder.shallow) throw shallow();
  if (asked === undefined && !named) {
    const base = await findBase(repository, undefined);
    return { head, base, target: base.commit };
  }
  const wanted = asked === undefined ? named : { revisions: [asked], why: `--base ${asked}` };
  const { revisions = [], why = '' } = wanted ?? {};
  const target = await firstCommit(repository, revisions);
  if (target === undefined) throw noBase(revisions);
  const forked = await repository.attempt(['merge-base', head, target]);
  if (forked.exitCode !== 0) throw unrelated(revisions);
  return { head, target, base: { commit: forked.stdout.trim(), why } };
}

async function firstCommit(
  repository: Repository,
  revisions: readonly string[],
): Promise<string | undefined> {
  for (const revision of revisions) {
    const commit = await repository.commit(revision);
    if (commit !== undefined) return commit;
  }
  return undefined;
}

function shallow(): GuardKitError {
  return new GuardKitError({
    code: 'ci.shallow-clone',
    kind: 'input',
    message: 'This clone is shallow, so the commit where the branch began is not known.',
    hint: 'Fetch the full history: `fetch-depth: 0` for actions/checkout, `GIT_DEPTH: 0` in GitLab, or `git fetch --unshallow`.',
  });
}

function noBase(revisions: readonly string[]): GuardKitError {
  return new GuardKitError({
    code: 'ci.no-base',
    kind: 'input',
    message: `This clone does not contain the base commit: ${revisions.map((name) => name.slice(0, 200)).join(', ') || 'none was named'}.`,
    hint: 'Fetch the target branch before `guardkit ci`, or specify the base with --base.',
  });
}

function unrelated(revisions: readonly string[]): GuardKitError {
  return new GuardKitError({
    code: 'ci.unrelated-base',
    kind: 'input',
    message: `HEAD and ${revisions.map((name) => name.slice(0, 200)).join(', ')} have no common commit.`,
    hint: 'Rebase the branch on its target branch, or specify another base with --base.',
  });
}
