import { realpathSync } from 'node:fs';
import type { ConfigLocation } from '../../domain/protection/config-locations.ts';
import type { GitFolder } from '../../platform/git/git-folder.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';

/** The checkout that an agent works in, and everything needed to watch it. */
export interface WatchContext {
  ledger: Ledger;
  project: string;
  /** Real path. */
  checkout: string;
  git: GitFolder;
  /** Real path. */
  dataFolder: string;
  /** The person's home folder. */
  home: string;
  /** Places that variables move configuration of agents and git to. */
  configLocations?: readonly ConfigLocation[];
  /** `protected:` of the configuration. */
  globs: readonly string[];
}

const repositories = new WeakMap<GitFolder, string>();

/** Real path of git's common folder, the same for all checkouts. Resolved once per event: each has its own `git`. */
export function repositoryFolder({ git }: Pick<WatchContext, 'git'>): string {
  const found = repositories.get(git) ?? realFolder(git.commonDir);
  repositories.set(git, found);
  return found;
}

export function realFolder(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    // Safe: a missing folder has no other real path.
    return folder;
  }
}
