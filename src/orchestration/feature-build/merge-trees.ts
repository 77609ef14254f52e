import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { GuardKitError } from '../../guardkit-error.ts';
import type { Repository } from '../../platform/git/repository.ts';

/** Merges two commits without touching any file: the resulting tree and the conflicting paths. */
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
    hint: 'This needs git 2.38 or later. Upgrade git, or merge the branch yourself and run this again to record the merge.',
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

/**
 * The files that need a filter or merge program configured by the repository. GuardKit runs none of those; for Git LFS it
 * has a filter of its own.
 */
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
      value !== 'lfs' &&
      configured(`filter.${value}.smudge`, `filter.${value}.clean`, `filter.${value}.process`);
    const driven =
      attribute === 'merge' && !BUILT_IN_MERGES.has(value) && configured(`merge.${value}.driver`);
    if (filtered || driven) found.add(path);
  }
  return [...found];
}

const UNFINISHED = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'rebase-merge', 'rebase-apply'];

/** The person's branch; throws if a merge, rebase or similar is unfinished. */
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
          ? `This checkout is on ${into}, which is GuardKit’s own.`
          : 'HEAD is detached, or its branch has no commits.',
      hint: 'Switch to the branch that should get the feature with `git switch`, then run this again.',
    });
  }
  const unfinished = UNFINISHED.find((name) => existsSync(join(repository.folder.gitDir, name)));
  if (unfinished === undefined) return { into, head };
  throw new GuardKitError({
    code: 'complete.unfinished',
    kind: 'refused',
    message: `A merge, rebase or similar operation is in progress in this checkout (${unfinished}).`,
    hint: 'Finish or abort it, then run this again.',
  });
}
