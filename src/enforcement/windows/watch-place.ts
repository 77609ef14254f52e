import type { GitFolder } from '../../platform/git-folder.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';

/** Where an agent works, and what lies around it. All folders are real paths. */
export interface WatchPlace {
  ledger: Ledger;
  project: string;
  checkout: string;
  git: GitFolder;
  dataFolder: string;
  /** The person's home folder. */
  home: string;
  /** `protected:` of the configuration. */
  globs: readonly string[];
}
