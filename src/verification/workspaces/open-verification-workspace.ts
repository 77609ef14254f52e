import { createHash } from 'node:crypto';
import { existsSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { GuardKitError } from '../../guardkit-error.ts';
import { removeTree } from '../../platform/files/file-trees.ts';
import { isInside } from '../../platform/files/path-inside.ts';
import type { GitFolder } from '../../platform/git/git-folder.ts';
import { findWorktree, linkedGitDir } from '../../platform/git/git-refs.ts';
import type { Repository } from '../../platform/git/repository.ts';
import { type ProcessLock, tryLock } from '../../platform/processes/process-lock.ts';
import { GoBuildCache } from './go-build-cache.ts';
import { dropKeptSetups } from './kept-setups.ts';
import { VerificationWorkspace } from './verification-workspace.ts';

/** More than any machine runs at the same time. */
const MAX_WORKSPACES = 64;

/** Takes a free workspace of this repository or creates one; no two processes share one. */
export async function openVerificationWorkspace(
  repository: Repository,
  worktreesRoot: string,
  commit: string,
): Promise<VerificationWorkspace> {
  // Clones of a project share its id, but a workspace belongs to one repository.
  const clone = createHash('sha256')
    .update(realpathSync(repository.folder.commonDir))
    .digest('hex')
    .slice(0, 8);
  removeOrphans(repository, worktreesRoot, clone);
  for (let number = 1; number <= MAX_WORKSPACES; number++) {
    const name = `verify-${clone}-${number}`;
    const lock = tryLock(join(worktreesRoot, `${name}.lock`));
    if (!lock) continue;
    try {
      return await furnish(repository, worktreesRoot, name, commit, lock);
    } catch (error) {
      lock.release();
      throw error;
    }
  }
  throw new GuardKitError({
    code: 'room.none-free',
    kind: 'outside',
    message: `All ${MAX_WORKSPACES} verification workspaces are in use (${worktreesRoot}).`,
    hint: 'Wait for other guardkit runs to finish.',
  });
}

/** Removes workspaces of repositories that were renamed or deleted: a workspace's name contains a hash of the path. */
function removeOrphans({ folder: git }: Repository, worktreesRoot: string, clone: string): void {
  if (!existsSync(worktreesRoot)) return;
  const entries = readdirSync(worktreesRoot);
  for (const name of entries.filter((entry) => /^verify-[0-9a-f]{8}-\d+$/.test(entry))) {
    const folder = join(worktreesRoot, name);
    if (name.startsWith(`verify-${clone}-`) || !isOrphan(git, folder)) continue;
    const lock = tryLock(`${folder}.lock`);
    if (!lock) continue;
    const registered = findWorktree(git, folder);
    if (registered !== undefined) removeTree(registered);
    for (const part of entries)
      if (part === name || part.startsWith(`${name}.`)) removeTree(join(worktreesRoot, part));
    lock.release();
  }
}

/** A copy of a repository also lists the workspaces of the original, which is still there. */
function isOrphan({ commonDir }: GitFolder, folder: string): boolean {
  const owner = linkedGitDir(folder);
  return owner !== undefined && (!existsSync(owner) || isInside(owner, realpathSync(commonDir)));
}

async function furnish(
  repository: Repository,
  worktreesRoot: string,
  name: string,
  commit: string,
  lock: ProcessLock,
): Promise<VerificationWorkspace> {
  const folder = join(worktreesRoot, name);
  const statePath = `${folder}.json`;
  let gitDir = findWorktree(repository.folder, folder);
  if (gitDir === undefined || !existsSync(folder)) {
    removeTree(folder);
    dropKeptSetups(folder);
    new GoBuildCache(folder).drop();
    rmSync(statePath, { force: true });
    await repository.run([
      'worktree',
      'add',
      '--quiet',
      '--force',
      '--detach',
      '--no-checkout',
      folder,
      commit,
    ]);
    gitDir = findWorktree(repository.folder, folder);
  }
  if (gitDir === undefined) throw new Error(`git created no worktree at ${folder}`);
  return new VerificationWorkspace({
    repository: await repository.worktree(folder, gitDir),
    statePath,
    lock,
  });
}
