import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { GuardKitError } from '../../guardkit-error.ts';
import { systemClock } from '../../platform/clock.ts';
import { findGitFolder, type GitFolder } from '../../platform/git/git-folder.ts';
import { guardkitHome } from '../../platform/guardkit-home.ts';
import { Ledger } from '../../store/ledger/ledger.ts';
import { openKnownLedgerFile } from '../../store/ledger/ledger-file.ts';
import { requireMarked } from '../install/ledger-mark.ts';
import { HOOK_ENTITIES, HOOK_KINDS } from './hook-kinds.ts';
import { projectOf } from './project-of.ts';

/** Everything that judging an agent's doings in one checkout stands on. */
export interface Enforcement {
  ledger: Ledger;
  project: string;
  /** Real path of the checkout that the agent works in. */
  checkout: string;
  git: GitFolder;
  /** Real path of the data folder. */
  dataFolder: string;
  env: NodeJS.ProcessEnv;
  close(): void;
}

/** What is known of a checkout by more than its own files, which an agent may have changed. */
export type KnownCheckout = Pick<Enforcement, 'project' | 'git'>;

/** Opens the ledger for the checkout that a folder lies in. Without either there is nothing to judge by, and that refuses. */
export async function openEnforcement(
  folder: string,
  env: NodeJS.ProcessEnv,
  known?: KnownCheckout,
): Promise<Enforcement> {
  const git = known?.git ?? findGitFolder(folder);
  if (!git) throw noRepository(folder);
  const home = guardkitHome(env);
  const ledger = new Ledger({
    file: openKnownLedgerFile(join(home, 'ledger.db')),
    clock: systemClock,
    // Most events put nothing into the chain.
    get kinds() {
      return HOOK_KINDS;
    },
    get entityTypes() {
      return HOOK_ENTITIES;
    },
  });
  try {
    requireMarked(home, ledger.file);
    const checkout = realpathSync.native(git.root);
    return {
      ledger,
      project: known?.project ?? (await projectOf(ledger, git, checkout)),
      checkout,
      git,
      dataFolder: realpathSync.native(home),
      env,
      close: () => ledger.close(),
    };
  } catch (error) {
    ledger.close();
    throw error;
  }
}

function noRepository(folder: string): GuardKitError {
  return new GuardKitError({
    code: 'enforcement.no-repository',
    kind: 'refused',
    message: `${folder} is in no git repository, and GuardKit judges by what is committed.`,
    hint: 'Run `git init` and commit, or take the hooks away with `guardkit uninstall`.',
  });
}
