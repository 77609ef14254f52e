import { lstatSync, realpathSync, rmSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { OUTSIDE_THE_TREE } from '../../domain/protection/outside-the-tree.ts';
import { isProtectedPath } from '../../domain/protection/protected-paths.ts';
import { changedPaths, exportFiles, snapshotTree } from '../../platform/git/git-tree.ts';
import { Repository } from '../../platform/git/repository.ts';
import type { Began } from './details.ts';
import { keepCommit } from './keep-commit.ts';
import type { SessionContext } from './session-context.ts';

export interface SetAside {
  /** The name under which git keeps all of it. */
  ref: string;
  files: number;
}

const WORDS = { blocked: 'which is blocked', removed: 'which a person took off the list' } as const;

/**
 * Takes the work on a feature that was given up out of the way of those that follow, whose tests would fail by it: the
 * files are again as they were when it was begun. All of it is kept in git first. Undefined where nothing had changed.
 */
export async function setAside(
  { checkout }: SessionContext,
  session: string,
  { feature, tree, theirs }: Began,
  since: keyof typeof WORDS,
): Promise<SetAside | undefined> {
  const repository = await Repository.open(checkout);
  const now = await snapshotTree(repository, OUTSIDE_THE_TREE);
  // What is a person's to change, or was changed by them, was not changed by the work.
  const kept = new Set(theirs);
  const changes = (await changedPaths(repository, tree, now)).filter(
    ({ path }) => !isProtectedPath(path) && !kept.has(path),
  );
  if (changes.length === 0) return undefined;
  const name = `sessions/${session}/${since}/${feature}`;
  await keepCommit(repository, name, `What was tried for ${feature}, ${WORDS[since]}`);
  for (const { path, change } of changes) if (change === 'added') remove(checkout, path);
  const before = changes.filter(({ change }) => change !== 'added').map(({ path }) => path);
  if (before.length > 0) await exportFiles(repository, tree, before, checkout);
  return { ref: `refs/guardkit/${name}`, files: changes.length };
}

/** Never through a link, which could lead out of the checkout. */
function remove(checkout: string, path: string): void {
  const file = join(checkout, path);
  if (!lstatSync(file, { throwIfNoEntry: false })) return;
  if (realpathSync(dirname(file)) === dirname(file) && file.startsWith(checkout + sep))
    rmSync(file, { force: true });
}
