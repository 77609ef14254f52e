import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { ProjectId } from '../../config/project/project-id.ts';
import { isShape, isText } from '../../domain/json/plain-shape.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import { systemClock } from '../../platform/clock.ts';
import { fileStamp } from '../../platform/files/file-stamp.ts';
import { findGitFolder, type GitFolder } from '../../platform/git/git-folder.ts';
import { guardkitHome } from '../../platform/guardkit-home.ts';
import type { EventClaim } from '../../store/ledger/claimed-event.ts';
import { Ledger } from '../../store/ledger/ledger.ts';
import { openKnownLedgerFile, type WarmLedgerFile } from '../../store/ledger/open-ledger-file.ts';
import { cacheRead, findCached, findLastCached } from '../../store/ledger/tables/read-cache.ts';
import { requireMarked } from '../install/ledger-mark.ts';
import { HOOK_ENTITIES, HOOK_KINDS } from './hook-kinds.ts';

/** The ledger, project and folders that enforcement in one checkout needs. */
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

/** Facts about a checkout that do not come from its own files, which an agent may have changed. */
export type KnownCheckout = Pick<Enforcement, 'project' | 'git'>;

interface EnforcementOptions {
  known?: KnownCheckout | undefined;
  claim?: EventClaim | undefined;
  /** Keeps the ledger open for the next event (default: closed). */
  warm?: WarmLedgerFile | undefined;
}

/** Opens the ledger for the checkout that contains a folder. Throws, and so refuses, without a ledger or a checkout. */
export async function openEnforcement(
  folder: string,
  env: NodeJS.ProcessEnv,
  { known, claim, warm }: EnforcementOptions = {},
): Promise<Enforcement> {
  // A copy: facts about it are kept for one event.
  const git = known ? { ...known.git } : findGitFolder(folder);
  if (!git) throw noRepository(folder);
  const home = guardkitHome(env);
  const path = join(home, 'ledger.db');
  const file = warm ? warm.open(path) : openKnownLedgerFile(path);
  const close = () => {
    if (!warm?.keeps(file)) ledger.close();
  };
  const ledger = new Ledger({
    file,
    clock: systemClock,
    claim,
    // Lazy: most events append no entry.
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
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

function noRepository(folder: string): GuardKitError {
  return new GuardKitError({
    code: 'enforcement.no-repository',
    kind: 'refused',
    message: `${folder} is not in a git repository, and GuardKit applies only committed definitions.`,
    hint: 'Run `git init` and commit, or remove the hooks with `guardkit uninstall`.',
  });
}

const isReading = isShape({ project: isText });

/**
 * The project of a checkout. It does not change while an agent's action is open: otherwise an agent could move its
 * checkout to another project that has no records of it.
 */
export async function projectOf(ledger: Ledger, git: GitFolder, checkout: string): Promise<string> {
  const project = await findProject(ledger, git, checkout);
  if (project.known) return project.id;
  throw new GuardKitError({
    code: 'enforcement.no-project',
    kind: 'refused',
    message: `GuardKit is not set up in this project: ${project.why}.`,
    hint: project.hint,
  });
}

/** Reads the configuration only if it changed since the last call. */
export async function findProject(ledger: Ledger, git: GitFolder, checkout: string): Promise<ProjectId> {
  const file = join(git.root, '.guardkit', 'config.yaml');
  const key = `project of ${checkout}`;
  const stamp = fileStamp(file);
  const known = findCached(ledger, key, stamp);
  if (isReading(known)) return { known: true, id: known.project };
  const busy = projectAtWork(ledger, checkout);
  if (busy !== undefined) return { known: true, id: busy };
  const { openWorkspace } = await import('../../config/project/workspace.ts');
  const last = findLastCached(ledger, key)?.body;
  let project: ProjectId;
  try {
    ({ project } = await openWorkspace(git.root, {}));
  } catch (error) {
    // While a merge has conflicts or a file is half saved, the last known project applies.
    if (!(error instanceof GuardKitError) || !isReading(last)) throw error;
    return { known: true, id: last.project };
  }
  if (project.known) cacheRead(ledger, key, stamp, { project: project.id });
  return project;
}

/** The project of an open action in this checkout. */
function projectAtWork(ledger: Ledger, checkout: string): string | undefined {
  const { database, attempt } = ledger.file;
  return attempt(() => {
    const found = database
      .prepare('SELECT project FROM windows WHERE checkout = ? LIMIT 1')
      .pluck()
      .get(checkout);
    return found === undefined ? undefined : String(found);
  });
}
