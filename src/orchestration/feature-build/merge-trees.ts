import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { GuardKitError } from '../../guardkit-error.ts';
import type { Repository } from '../../platform/git/repository.ts';

/** Merges two commits without touching any file: the tree that comes of it, and the paths on which they disagree. */
export async function mergeTrees(
  repository: Repository,
  ours: string,
  theirs: string,
): Promise<{ tree: string; conflicts: string[] }> {
  const args = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', ours, theirs];
  const { exitCode, stdout, stderr } = await repository.attempt(args, { timeoutMs: 10 * 60_000 });
  const [tree = '', ...rest] = stdout.split('\0');
  if ((exitCode === 0 || exitCode === 1) && /^[0-9a-f]{40,64}$/.test(tree))
    return { tree, conflicts: exitCode === 0 ? [] : [...new Set(rest.filter((path) => path !== ''))] };
  throw new GuardKitError({
    code: 'merge.failed',
    kind: 'outside',
    message: `git could not merge ${theirs.slice(0, 12)}: ${stderr.trim().slice(0, 1000)}`,
    hint: 'git 2.38 or later is needed for this. You can merge the branch yourself and then run this again, to put it on record.',
  });
}

const BUILT_IN_MERGES: ReadonlySet<string> = new Set([
  'unspecified',
  'set',
  'unset',
  'text',
  'binary',
  'union',
]);

/** Of these files, those that git hands to a program that the repository names. GuardKit runs none of them. */
export async function namedPrograms(repository: Repository, paths: readonly string[]): Promise<string[]> {
  if (paths.length === 0) return [];
  const listed = await repository.run(['config', '--list', '--name-only', '-z']);
  const names = new Set(listed.split('\0').map((name) => name.toLowerCase()));
  const configured = (...keys: string[]) => keys.some((key) => names.has(key.toLowerCase()));
  const input = paths.map((path) => `${path}\0`).join('');
  const fields = (await repository.run(['check-attr', '-z', '--stdin', 'filter', 'merge'], { input })).split(
    '\0',
  );
  const found = new Set<string>();
  for (let index = 0; index + 2 < fields.length; index += 3) {
    const [path = '', attribute, value = ''] = fields.slice(index, index + 3);
    const filtered =
      attribute === 'filter' &&
      configured(`filter.${value}.smudge`, `filter.${value}.clean`, `filter.${value}.process`);
    const driven =
      attribute === 'merge' && !BUILT_IN_MERGES.has(value) && configured(`merge.${value}.driver`);
    if (filtered || driven) found.add(path);
  }
  return [...found];
}

const UNFINISHED = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'rebase-merge', 'rebase-apply'];

/** The person's branch, with nothing half done on it. */
export async function requireQuietBranch(repository: Repository): Promise<{ into: string; head: string }> {
  const { exitCode, stdout } = await repository.attempt(['symbolic-ref', '--quiet', 'HEAD']);
  const head = await repository.commit('HEAD');
  const into = stdout.trim().replace(/^refs\/heads\//, '');
  if (exitCode !== 0 || head === undefined || into.startsWith('guardkit/')) {
    throw new GuardKitError({
      code: 'complete.no-branch',
      kind: 'refused',
      message:
        exitCode === 0 && head !== undefined
          ? `This checkout is on ${into}, which is GuardKit's own.`
          : 'This checkout is on no branch that something could be merged into.',
      hint: 'Go to the branch that is to have the feature, with `git switch`, and run this there.',
    });
  }
  const unfinished = UNFINISHED.find((name) => existsSync(join(repository.folder.gitDir, name)));
  if (unfinished === undefined) return { into, head };
  throw new GuardKitError({
    code: 'complete.unfinished',
    kind: 'refused',
    message: `A merge, rebase or the like is under way in this checkout (${unfinished}).`,
    hint: 'Finish it or give it up, then run this again.',
  });
}
