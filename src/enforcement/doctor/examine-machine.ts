import { findProgram } from '../../platform/processes/find-program.ts';
import { runProcess } from '../../platform/processes/run-process.ts';
import type { SandboxStatus } from '../../platform/sandbox/find-sandbox.ts';
import { readToolchainRecord } from '../../verification/environment/toolchain-record.ts';
import { hasCodeCache } from '../install/code-cache.ts';
import type { DoctorCheck } from './doctor-check.ts';

const TIMEOUT_MS = 20_000;
/** The first version in which a failed hook can refuse (`onFailure`). */
const CLAUDE_ON_FAILURE = [2, 1, 295] as const;
/** The first version that accepts settings from the environment. */
const GIT_OLDEST = [2, 31] as const;
/** Same as `engines` in package.json. Some versions from 21 to 22.11 cannot start the program. */
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
        hint: 'Use Node 20.19+ or 22.12+.',
      };
}

/** Reported only if the cache is missing; hooks work either way. */
export function examineStart(): DoctorCheck[] {
  try {
    if (hasCodeCache()) return [];
  } catch {
    // Safe: without their program the hooks refuse, which testing them reports.
    return [];
  }
  return [
    {
      id: 'start',
      outcome: 'absent',
      found: `no code cache for Node ${process.versions.node}, so hooks start slower`,
      hint: 'Run `guardkit doctor --fix`.',
    },
  ];
}

export async function examineGit(root: string, env: NodeJS.ProcessEnv): Promise<DoctorCheck> {
  const version = await versionOf('git', root, env);
  if (version === undefined)
    return { id: 'git', outcome: 'fail', found: 'not found', hint: 'Install git 2.31 or newer.' };
  return isAtLeast(version, GIT_OLDEST)
    ? { id: 'git', outcome: 'pass', found: version }
    : { id: 'git', outcome: 'fail', found: `${version} is too old`, hint: 'Install git 2.31 or newer.' };
}

/** The agent may be installed outside the PATH; its hooks are tested either way. */
export async function examineClaude(root: string, env: NodeJS.ProcessEnv): Promise<DoctorCheck> {
  const version = await versionOf('claude', root, env);
  if (version === undefined)
    return { id: 'claude', outcome: 'absent', found: 'Claude Code was not found on the PATH' };
  return isAtLeast(version, CLAUDE_ON_FAILURE)
    ? { id: 'claude', outcome: 'pass', found: version }
    : {
        id: 'claude',
        outcome: 'absent',
        found: `${version} allows an action when its hook is killed or times out`,
        hint: `Upgrade Claude Code to ${CLAUDE_ON_FAILURE.join('.')} or newer with \`claude update\`.`,
      };
}

export function examineSandbox(status: SandboxStatus): DoctorCheck {
  return status.available
    ? { id: 'sandbox', outcome: 'pass', found: `${status.kind} ${status.version}` }
    : { id: 'sandbox', outcome: 'absent', found: `none: ${status.why}`, hint: status.hint };
}

/** A program's version; undefined if it is missing or prints none. */
export async function versionOf(
  name: string,
  root: string,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  const program = findProgram(name, env, root);
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

/** The recorded programs that this project's runs use. */
export function examineToolchains(dataFolder: string, project: string): DoctorCheck {
  const record = readToolchainRecord(dataFolder, project);
  if (!record)
    return {
      id: 'programs',
      outcome: 'absent',
      found:
        'not recorded; runs use the system’s programs, not those of version managers such as pyenv and nvm',
      hint: 'Run `guardkit doctor --fix` in your own terminal to record the programs on your PATH.',
    };
  const named = ['node', 'pnpm', 'yarn', 'bun', 'python3', 'uv', 'go', 'cargo', 'ruby', 'java'].flatMap(
    (tool) => {
      const path = record.programs[tool];
      return path === undefined ? [] : [`${tool} ${path}`];
    },
  );
  return {
    id: 'programs',
    outcome: 'pass',
    found: `recorded ${record.recorded_at.slice(0, 10)}: ${named.join(', ') || `${record.folders.length} folders`}`,
  };
}
