import { delimiter, isAbsolute, join, sep } from 'node:path';
import { runProcess } from '../../platform/processes/run-process.ts';
import type { SandboxStatus } from '../../platform/sandbox/find-sandbox.ts';
import { isProgram } from '../../platform/sandbox/is-program.ts';
import { hasCodeCache } from '../install/code-cache.ts';
import type { DoctorCheck } from './doctor-check.ts';

const TIMEOUT_MS = 20_000;
/** From here on a hook that fails can be told to refuse. */
const CLAUDE_ON_FAILURE = [2, 1, 295] as const;
/** From here on settings can be handed to git without a file. */
const GIT_OLDEST = [2, 31] as const;
/** As `engines` in package.json says. Some versions from 21 to 22.11 lack what the program needs to start. */
const NODE_OLDEST = [20, 19] as const;
const NODE_OLDEST_AFTER_20 = [22, 12] as const;

export function examineNode(version = process.versions.node): DoctorCheck {
  const oldest = isAtLeast(version, [21]) ? NODE_OLDEST_AFTER_20 : NODE_OLDEST;
  return isAtLeast(version, oldest)
    ? { id: 'node', outcome: 'pass', found: version }
    : {
        id: 'node',
        outcome: 'fail',
        found: `${version} is too old`,
        hint: 'GuardKit needs Node 20 from 20.19 on, or 22.12 or newer.',
      };
}

/** Reported only where it could be better: hooks work either way. */
export function examineStart(): DoctorCheck[] {
  try {
    if (hasCodeCache()) return [];
  } catch {
    // Safe: without their program hooks refuse, which is found when they are tried out.
    return [];
  }
  return [
    {
      id: 'start',
      outcome: 'absent',
      found: `hooks start slower than they could: no code cache for Node ${process.versions.node}`,
      hint: 'Run `guardkit doctor --fix`.',
    },
  ];
}

export async function examineGit(root: string, env: NodeJS.ProcessEnv): Promise<DoctorCheck> {
  const version = await versionOf('git', root, env);
  if (version === undefined)
    return { id: 'git', outcome: 'fail', found: 'not found', hint: 'Install git, 2.31 or newer.' };
  return isAtLeast(version, GIT_OLDEST)
    ? { id: 'git', outcome: 'pass', found: version }
    : { id: 'git', outcome: 'fail', found: `${version} is too old`, hint: 'Install git 2.31 or newer.' };
}

/** The agent may be installed where this command does not look; its hooks are proven either way. */
export async function examineClaude(root: string, env: NodeJS.ProcessEnv): Promise<DoctorCheck> {
  const version = await versionOf('claude', root, env);
  if (version === undefined)
    return { id: 'claude', outcome: 'absent', found: 'Claude Code was not found on the PATH' };
  return isAtLeast(version, CLAUDE_ON_FAILURE)
    ? { id: 'claude', outcome: 'pass', found: version }
    : {
        id: 'claude',
        outcome: 'absent',
        found: `${version} lets an action go ahead when its hook is killed or takes too long`,
        hint: `Upgrade Claude Code to ${CLAUDE_ON_FAILURE.join('.')} or newer: claude update.`,
      };
}

export function examineSandbox(status: SandboxStatus): DoctorCheck {
  return status.available
    ? { id: 'sandbox', outcome: 'pass', found: `${status.kind} ${status.version}` }
    : { id: 'sandbox', outcome: 'absent', found: `none: ${status.why}`, hint: status.hint };
}

/** What a program says of its version; undefined where there is none, or none that says it. */
async function versionOf(name: string, root: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  // Not from the project, whose programs are anybody's.
  const program = (env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !`${folder}${sep}`.startsWith(`${root}${sep}`))
    .map((folder) => join(folder, name))
    .find(isProgram);
  if (program === undefined) return undefined;
  const { exitCode, stdout } = await runProcess(program, ['--version'], {
    cwd: '/',
    env: { PATH: env.PATH, HOME: env.HOME },
    timeoutMs: TIMEOUT_MS,
  }).catch(() => ({ exitCode: null, stdout: '' }));
  return exitCode === 0 ? /\d{1,6}(?:\.\d{1,6}){1,3}/.exec(stdout.slice(0, 200))?.[0] : undefined;
}

export function isAtLeast(version: string, oldest: readonly number[]): boolean {
  const parts = version.split('.').map(Number);
  for (const [index, least] of oldest.entries()) {
    const part = parts[index] ?? 0;
    if (part !== least) return part > least;
  }
  return true;
}
