import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Repository } from './repository.ts';

/** Git's folder for a working tree, looked up from the repository's side: what lies in the tree itself is not believed. */
export function findWorktree({ folder: { commonDir } }: Repository, folder: string): string | undefined {
  const all = join(commonDir, 'worktrees');
  if (!existsSync(all)) return undefined;
  return readdirSync(all)
    .map((name) => join(all, name))
    .find((gitDir) => {
      const link = join(gitDir, 'gitdir');
      return existsSync(link) && readFileSync(link, 'utf8').trim() === join(folder, '.git');
    });
}
