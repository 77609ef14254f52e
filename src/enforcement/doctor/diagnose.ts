import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Workspace } from '../../config/project/workspace.ts';
import { formatFault } from '../../config/yaml/yaml-file.ts';
import { findConfigFaults } from '../../guards/guard-sources.ts';
import { systemClock } from '../../platform/clock.ts';
import { isInside } from '../../platform/files/path-inside.ts';
import {
  findGitFolder,
  type GitFolder,
  mainCheckout,
  otherCheckouts,
} from '../../platform/git/git-folder.ts';
import { guardkitHome } from '../../platform/guardkit-home.ts';
import type { SandboxStatus } from '../../platform/sandbox/find-sandbox.ts';
import type { EpisodeStore } from '../../store/episode-store.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { guardedAgents, WRAPPED_AGENTS, wrappedSessions } from '../install/agent-wirings.ts';
import { markedLedger } from '../install/ledger-mark.ts';
import { launcherParts } from '../install/own-package.ts';
import { type UnguardedSession, unguardedSessions } from '../install/unguarded-sessions.ts';
import { isWired } from '../install/wired-checkouts.ts';
import { liesInProject } from '../install/wiring-notices.ts';
import { describeTier, type Tier } from './describe-tier.ts';
import { type DoctorCheck, failedCheck } from './doctor-check.ts';
import { examineAgents } from './examine-agent.ts';
import { examineDataFolder, examineLauncher, examineServer, examineShell } from './examine-installation.ts';
import {
  examineClaude,
  examineGit,
  examineNode,
  examineSandbox,
  examineStart,
  examineToolchains,
} from './examine-machine.ts';
import { examineWiring, findWiring } from './examine-wiring.ts';
import { proveHooks } from './prove-hooks.ts';

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
  /** No check failed. */
  ok: boolean;
}

/** Checks everything that enforcement depends on, and tests the hooks. */
export async function diagnose(context: DoctorContext): Promise<Diagnosis> {
  const git = findGitFolder(context.cwd);
  const project = await examineProject(context, git);
  const dataFolder = guardkitHome(context.env);
  const wiring = git && findWiring(git, { env: context.env, home: context.home, dataFolder });
  const settings = wiring && examineWiring(wiring);
  context.progress('testing the hooks');
  // Even if the settings look wrong: the commands in them are run, and their answers count.
  const hooks =
    git && wiring?.hooks.some(({ known }) => known)
      ? await proveHooks(wiring, { root: git.root, env: context.env })
      : undefined;
  const others = git ? await examineAgents({ root: git.root, dataFolder, env: context.env }) : [];
  context.progress('checking the ledger');
  const record = project.id === undefined || !git ? [] : await examineRecord(context, project.id, git.root);
  const shell =
    git && guardedAgents(git).some((name) => WRAPPED_AGENTS.includes(name))
      ? [await examineShell(git, { env: context.env, home: context.home, dataFolder })]
      : [];
  const wrapped = shell.some(({ outcome }) => outcome === 'pass');
  const checks = [
    project.check,
    ...(git && project.check.outcome === 'pass' ? [await examineConfig(git.root)] : []),
    ...(hooks ? [hooks] : []),
    // A project may have hooks for another agent only.
    ...(settings && !(settings.code === 'not-wired' && others.length > 0) ? [settings] : []),
    ...others,
    ...shell,
    ...launchers(dataFolder),
    ...(git && shell.length > 0 ? [await examineServer(git.root, dataFolder, wrapped)] : []),
    ...examineDataFolder(dataFolder),
    ...record,
    await examineStore(context),
    examineSandbox(await context.findSandbox()),
    ...(project.id === undefined ? [] : [examineToolchains(dataFolder, project.id)]),
    examineNode(),
    ...(hooks ? examineStart() : []),
    await examineGit(git?.root ?? context.cwd, context.env),
    await examineClaude(git?.root ?? context.cwd, context.env),
  ];
  return {
    root: git?.root ?? null,
    project: project.id ?? null,
    checks,
    ok: checks.every(({ outcome }) => outcome !== 'fail'),
    ...describeTier({
      wrappedAgents: git ? wrappedSessions(git, dataFolder) : [],
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
  context: DoctorContext,
  git: GitFolder | undefined,
): Promise<{ id: string | undefined; check: DoctorCheck }> {
  const id = 'project';
  if (!git)
    return {
      id: undefined,
      check: {
        id,
        outcome: 'fail',
        found: 'this folder is not in a git repository',
        hint: 'Run the command inside a project, or run `git init` and then `guardkit init`.',
      },
    };
  try {
    const { project } = await context.workspace();
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
            found: `${git.root} is not set up for GuardKit`,
            hint: 'Run `guardkit init`.',
          },
    };
  } catch (error) {
    return { id: undefined, check: failedCheck(id, error) };
  }
}

/** Must not create a ledger. */
async function examineRecord(context: DoctorContext, project: string, root: string): Promise<DoctorCheck[]> {
  try {
    const { home } = await context.workspace();
    if (!existsSync(join(home, 'ledger.db'))) return [withoutLedger(home)];
    const ledger = await context.ledger();
    const { examineLedger } = await import('./examine-ledger.ts');
    return [
      ...examineLedger(ledger, project, realpathSync(root)),
      ...examineSessions(unguardedSessions({ ledger, project, root }, context.env, systemClock())),
    ];
  } catch (error) {
    return [failedCheck('ledger', error)];
  }
}

/** Nothing if all recent sessions were guarded. */
function examineSessions(sessions: readonly UnguardedSession[]): DoctorCheck[] {
  const [first] = sessions;
  if (!first) return [];
  return [
    {
      id: 'sessions',
      outcome: 'absent',
      code: 'ran-unguarded',
      found: `${sessions.length} of your recent sessions ran without GuardKit’s hooks, the last one in ${first.title}`,
      lines: sessions.slice(0, 5).map(({ title, session, began }) => `${began}  ${title}  ${session}`),
      hint: 'Review what these sessions changed, and check that the agent trusts GuardKit’s hooks.',
    },
  ];
}

/** Hooks installed for a ledger refuse everything while it is missing. */
function withoutLedger(home: string): DoctorCheck {
  const id = 'ledger';
  if (markedLedger(home) === undefined)
    return { id, outcome: 'absent', found: 'none yet; the first use creates it' };
  return {
    id,
    outcome: 'fail',
    found: `${join(home, 'ledger.db')} is missing, and with it all of GuardKit’s records`,
    hint: 'Restore the ledger from a backup, or run `guardkit doctor --fix` to continue with a new one.',
  };
}

/** Enforcement works without memory, so a failure here is not an error. */
async function examineStore(context: DoctorContext): Promise<DoctorCheck> {
  try {
    const { store } = await context.workspace();
    if (store.url === undefined && !existsSync(store.path))
      return { id: 'memory', outcome: 'absent', found: 'none yet', hint: 'Run `guardkit memory seed`.' };
    const { backend, location, schemaVersion } = await (await context.store()).info();
    return {
      id: 'memory',
      outcome: 'pass',
      found: `${backend === 'sqlite' ? 'SQLite' : 'PostgreSQL'} at ${location}, schema version ${schemaVersion}`,
    };
  } catch (error) {
    return failedCheck('memory', error, 'absent');
  }
}

/** Claude Code also uses a person's settings of the main checkout in every linked one. */
function unwiredCheckouts(git: GitFolder, dataFolder: string): string[] {
  const main = mainCheckout(git);
  if (main !== undefined && isWired(main)) return [];
  // GuardKit's own checkouts need no hooks: it starts the agents there itself.
  const own = existsSync(dataFolder) ? realpathSync(dataFolder) : dataFolder;
  return otherCheckouts(git)
    .filter((checkout) => existsSync(checkout) && !isWired(checkout))
    .filter((checkout) => !isInside(realpathSync(checkout), own));
}

function programInProject(root: string): boolean {
  try {
    return liesInProject(launcherParts('').program, root);
  } catch {
    // Safe: the check of the hooks reports an incomplete installation.
    return false;
  }
}

const id = 'config';
const SHOWN = 3;

async function examineConfig(root: string): Promise<DoctorCheck> {
  try {
    const { files, faults } = await findConfigFaults(root);
    if (faults.length === 0) return { id, outcome: 'pass', found: `no errors in ${files.join(', ')}` };
    return {
      id,
      outcome: 'fail',
      found: faults.length === 1 ? '1 error' : `${faults.length} errors`,
      lines: faults.slice(0, SHOWN).map(formatFault),
      hint: 'Run `guardkit config check` to list all errors, and fix them.',
    };
  } catch (error) {
    return failedCheck(id, error);
  }
}
