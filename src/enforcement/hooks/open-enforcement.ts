import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { entityRegistry } from '../../domain/entities/entity-type.ts';
import { feature } from '../../domain/entities/feature.ts';
import { trace } from '../../domain/entities/trace.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import { systemClock } from '../../platform/clock.ts';
import { findGitFolder, type GitFolder } from '../../platform/git/git-folder.ts';
import { guardkitHome } from '../../platform/guardkit-home.ts';
import { entryKindRegistry } from '../../store/ledger/chain/entry-kind.ts';
import { actionJudged } from '../../store/ledger/kinds/action-judged.ts';
import { changeNoticed } from '../../store/ledger/kinds/change-noticed.ts';
import { correctionNoticed } from '../../store/ledger/kinds/correction-noticed.ts';
import { definitionProposed } from '../../store/ledger/kinds/definition-proposed.ts';
import { definitionRecorded } from '../../store/ledger/kinds/definition-recorded.ts';
import { definitionsTrusted } from '../../store/ledger/kinds/definitions-trusted.ts';
import { featuresRecorded } from '../../store/ledger/kinds/features-recorded.ts';
import { fileRestored } from '../../store/ledger/kinds/file-restored.ts';
import { protectionResumed } from '../../store/ledger/kinds/protection-resumed.ts';
import { remoteRecorded } from '../../store/ledger/kinds/remote-recorded.ts';
import { violationRecorded } from '../../store/ledger/kinds/violation-recorded.ts';
import { waiverUsed } from '../../store/ledger/kinds/waiver-used.ts';
import { Ledger } from '../../store/ledger/ledger.ts';
import { openKnownLedgerFile } from '../../store/ledger/ledger-file.ts';
import { requireMarked } from '../install/ledger-mark.ts';
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

/** All that a hook writes into the chain: to make ready every kind there is would take longer than most answers. */
export const HOOK_KINDS = entryKindRegistry([
  actionJudged,
  violationRecorded,
  featuresRecorded,
  waiverUsed,
  correctionNoticed,
  changeNoticed,
  definitionProposed,
  definitionRecorded,
  definitionsTrusted,
  fileRestored,
  remoteRecorded,
  protectionResumed,
]);

/** The entities that those entries tell of. */
export const HOOK_ENTITIES = entityRegistry([feature, trace]);
