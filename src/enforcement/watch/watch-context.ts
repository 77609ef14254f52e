import { realpathSync } from 'node:fs';
import type { ConfigLocation } from '../../domain/protection/config-locations.ts';
import type { GitFolder } from '../../platform/git/git-folder.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';

/** Where an agent works, and what lies around it. */
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
  /** Where the person's orders to agents and git lie in place of it. */
  configLocations?: readonly ConfigLocation[];
  /** `protected:` of the configuration. */
  globs: readonly string[];
}

/** Git's folder that all working trees share, by the one name that it has whichever way it was come to. */
export function repositoryFolder({ git: { commonDir } }: Pick<WatchContext, 'git'>): string {
  return realFolder(commonDir);
}

export function realFolder(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    // Safe: what is not there has no other name.
    return folder;
  }
}
