import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Workspace } from '../../config/project/workspace.ts';
import { isInside } from '../../platform/files/path-inside.ts';
import { findGitFolder, type GitFolder, otherCheckouts } from '../../platform/git/git-folder.ts';
import { guardkitHome } from '../../platform/guardkit-home.ts';
import type { SandboxStatus } from '../../platform/sandbox/find-sandbox.ts';
import type { EpisodeStore } from '../../store/episode-store.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { isWired } from '../install/is-wired.ts';
import { markedLedger } from '../install/ledger-mark.ts';
import { launcherParts } from '../install/own-package.ts';
import { liesInProject } from '../install/wiring-notices.ts';
import { describeTier, type Tier } from './describe-tier.ts';
import { type DoctorCheck, failedCheck } from './doctor-check.ts';
import { examineConfig } from './examine-config.ts';
import { examineDataFolder } from './examine-data-folder.ts';
import { examineLauncher } from './examine-launcher.ts';
import { examineClaude, examineGit, examineNode, examineSandbox, examineStart } from './examine-machine.ts';
import { examineShell } from './examine-shell.ts';
import { examineToolchains } from './examine-toolchains.ts';
import { examineWiring } from './examine-wiring.ts';
import { findWiring } from './find-wiring.ts';
import { proveHooks } from './prove-hooks.ts';

/** What the doctor may touch of the world outside. */
export interface DoctorContext {
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** The person's home folder. */
  home: string;
  workspace(): Promise<Workspace>;
  ledger(): Promise<Ledger>;
  store(): Promise<EpisodeStore>;
  findSandbox(): Promise<SandboxStatus>;
  progress(line: string): void;
}

export interface Diagnosis extends Tier {
  root: string | null;
  project: string | null;
  checks: DoctorCheck[];
  /** Nothing that should hold does not. */
  ok: boolean;
}

/** Looks at everything that enforcement stands on, and tries the hooks out. */
export async function diagnose(world: DoctorContext): Promise<Diagnosis> {
  const git = findGitFolder(world.cwd);
  const project = await examineProject(world, git);
  const dataFolder = guardkitHome(world.env);
  const wiring = git && findWiring(git, { env: world.env, home: world.home, dataFolder });
  const settings = wiring && examineWiring(wiring);
  world.progress('trying the hooks out');
  // Whatever the settings look like: what they name is run, and what comes of it counts.
  const hooks =
    git && wiring?.hooks.some(({ known }) => known)
      ? await proveHooks(wiring, { root: git.root, env: world.env })
      : undefined;
  world.progress('looking at the record');
  const record = project.id === undefined || !git ? [] : await examineRecord(world, project.id, git.root);
  const checks = [
    project.check,
    ...(git && project.check.outcome === 'pass' ? [await examineConfig(git.root)] : []),
    ...(hooks ? [hooks] : []),
    ...(settings ? [settings] : []),
    ...(git && hooks ? [await examineShell(git, { env: world.env, home: world.home, dataFolder })] : []),
    ...launchers(dataFolder),
    ...examineDataFolder(dataFolder),
    ...record,
    await examineStore(world),
    examineSandbox(await world.findSandbox()),
    ...(project.id === undefined ? [] : [examineToolchains(dataFolder, project.id)]),
    examineNode(),
    ...(hooks ? examineStart() : []),
    await examineGit(git?.root ?? world.cwd, world.env),
    await examineClaude(git?.root ?? world.cwd, world.env),
  ];
  return {
    root: git?.root ?? null,
    project: project.id ?? null,
    checks,
    ok: checks.every(({ outcome }) => outcome !== 'fail'),
    ...describeTier({
      checks,
      shared: wiring?.hooks.some(({ scope }) => scope === 'team') ?? false,
      unwiredCheckouts: git ? unwiredCheckouts(git, dataFolder) : [],
      programInProject: git ? programInProject(git.root) : false,
    }),
  };
}

function launchers(dataFolder: string): DoctorCheck[] {
  try {
    return examineLauncher(dataFolder);
  } catch (error) {
    return [failedCheck('launcher', error)];
  }
}

async function examineProject(
  world: DoctorContext,
  git: GitFolder | undefined,
): Promise<{ id: string | undefined; check: DoctorCheck }> {
  const id = 'project';
  if (!git)
    return {
      id: undefined,
      check: {
        id,
        outcome: 'fail',
        found: 'this folder is in no git repository',
        hint: 'Run the command inside a project, or `git init` and then `guardkit init`.',
      },
    };
  try {
    const { project } = await world.workspace();
    if (!project.known)
      return { id: undefined, check: { id, outcome: 'fail', found: project.why, hint: project.hint } };
    const ready = existsSync(join(git.root, '.guardkit', 'config.yaml'));
    return {
      id: project.id,
      check: ready
        ? { id, outcome: 'pass', found: `${project.id} in ${git.root}` }
        : {
            id,
            outcome: 'fail',
            found: `${git.root} is not made ready for GuardKit`,
            hint: 'Run `guardkit init`.',
          },
    };
  } catch (error) {
    return { id: undefined, check: failedCheck(id, error) };
  }
}

/** Looking must not make a ledger. */
async function examineRecord(world: DoctorContext, project: string, root: string): Promise<DoctorCheck[]> {
  try {
    const { home } = await world.workspace();
    if (!existsSync(join(home, 'ledger.db'))) return [withoutLedger(home)];
    const ledger = await world.ledger();
    const { examineLedger } = await import('./examine-ledger.ts');
    return examineLedger(ledger, project, realpathSync(root));
  } catch (error) {
    return [failedCheck('ledger', error)];
  }
}

/** Hooks that were wired with one refuse everything until it is there again. */
function withoutLedger(home: string): DoctorCheck {
  const id = 'ledger';
  if (markedLedger(home) === undefined)
    return { id, outcome: 'absent', found: 'none yet; the first use makes it' };
  return {
    id,
    outcome: 'fail',
    found: `${join(home, 'ledger.db')} is gone, and with it what GuardKit knew`,
    hint: 'Restore the ledger from a backup, or go on with a new one: `guardkit doctor --fix` makes it.',
  };
}

/** Memory may be away: everything that must hold, holds without it. */
async function examineStore(world: DoctorContext): Promise<DoctorCheck> {
  try {
    const { store } = await world.workspace();
    if (store.url === undefined && !existsSync(store.path))
      return { id: 'memory', outcome: 'absent', found: 'none yet', hint: 'Run `guardkit graphiti seed`.' };
    const { backend, location, schemaVersion } = await (await world.store()).info();
    return {
      id: 'memory',
      outcome: 'pass',
      found: `${backend === 'sqlite' ? 'SQLite' : 'PostgreSQL'} at ${location}, schema version ${schemaVersion}`,
    };
  } catch (error) {
    return failedCheck('memory', error, 'absent');
  }
}

/** Claude Code takes a person's settings of the main working tree in every other one as well. */
function unwiredCheckouts(git: GitFolder, dataFolder: string): string[] {
  const main = basename(git.commonDir) === '.git' ? dirname(git.commonDir) : undefined;
  if (main !== undefined && isWired(main)) return [];
  // GuardKit's own are not a person's to wire: it starts what runs there.
  const own = existsSync(dataFolder) ? realpathSync(dataFolder) : dataFolder;
  return otherCheckouts(git)
    .filter((checkout) => existsSync(checkout) && !isWired(checkout))
    .filter((checkout) => !isInside(realpathSync(checkout), own));
}

function programInProject(root: string): boolean {
  try {
    return liesInProject(launcherParts('').program, root);
  } catch {
    // Safe: that it is incomplete shows in the hooks.
    return false;
  }
}
