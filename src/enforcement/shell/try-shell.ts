import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProcess } from '../../platform/processes/run-process.ts';
import { findBubblewrap, findSandbox } from '../../platform/sandbox/find-sandbox.ts';
import { quote } from '../install/hook-launcher.ts';
import { refreshProfiles, type ShellContext } from './refresh-profiles.ts';
import { shellLauncherPath } from './write-launcher.ts';

export type ShellTrial =
  | { ok: true }
  | {
      ok: false;
      why: string;
      /** How to fix it. */
      install: string;
    };

const TIMEOUT_MS = 20_000;
const LINE = 'a line from outside';

/**
 * Tries the sandbox before anything is installed: with the mounts of this repository, but with a launcher in a temporary
 * folder.
 */
export async function tryShell(context: ShellContext, env: NodeJS.ProcessEnv): Promise<ShellTrial> {
  const missing = missingSandbox(env);
  if (missing) return missing;
  const dataFolder = mkdtempSync(join(tmpdir(), 'guardkit-trial-'));
  try {
    refreshProfiles({ ...context, dataFolder });
    return await tryLauncher(shellLauncherPath(dataFolder, context.git), context, env);
  } finally {
    rmSync(dataFolder, { recursive: true, force: true });
  }
}

/** Tries the installed launcher and profiles, without changing them. */
export async function tryInstalledShell(context: ShellContext, env: NodeJS.ProcessEnv): Promise<ShellTrial> {
  const missing = missingSandbox(env);
  if (missing) return missing;
  const launcher = shellLauncherPath(context.dataFolder, context.git);
  if (!existsSync(launcher))
    return {
      ok: false,
      why: `the launcher is missing (${launcher})`,
      install: 'Run `guardkit doctor --fix`.',
    };
  return tryLauncher(launcher, context, env);
}

function missingSandbox(env: NodeJS.ProcessEnv): ShellTrial | undefined {
  if (process.platform === 'darwin') return undefined;
  if (process.platform !== 'linux')
    return {
      ok: false,
      why: `GuardKit has no sandbox for ${process.platform}`,
      install: 'Run the agent on Linux or macOS, or in WSL 2.',
    };
  if (findBubblewrap(env.PATH) !== undefined) return undefined;
  return {
    ok: false,
    why: 'bubblewrap is not installed',
    install:
      'Install bubblewrap (apt-get install bubblewrap, dnf install bubblewrap, pacman -S bubblewrap), then run `guardkit doctor --fix`.',
  };
}

async function tryLauncher(
  launcher: string,
  context: ShellContext,
  env: NodeJS.ProcessEnv,
): Promise<ShellTrial> {
  const run = (command: string, input = '') =>
    runProcess(launcher, [command], { cwd: context.checkout, env, timeoutMs: TIMEOUT_MS, input });
  const first = await run('true');
  if (first.exitCode !== 0) return explainFailure(first.tail, env);
  const { commonDir } = context.git;
  const name = `guardkit-trial-${process.pid}`;
  const [forbidden, allowed] = [join(commonDir, 'hooks', name), join(commonDir, name)];
  const second = await run(
    `read -r line; echo "$line"; : 2>/dev/null >${quote(forbidden)}; : >${quote(allowed)}; exit 7`,
    `${LINE}\n`,
  );
  const [opened, written] = [existsSync(forbidden), existsSync(allowed)];
  for (const path of [forbidden, allowed]) rmSync(path, { force: true });
  const broken = (why: string): ShellTrial => ({
    ok: false,
    why: `${why}: ${second.tail.trim().slice(0, 300) || 'no output'}`,
    install: 'Run `guardkit doctor --verbose` and report its output.',
  });
  if (opened) return broken('the sandbox let a command write a protected file');
  if (!written) return broken('the sandbox blocked a command from writing in the project');
  if (second.exitCode !== 7) return broken(`expected exit code 7, got ${second.exitCode}`);
  if (!second.stdout.startsWith(`${LINE}\n`))
    return broken('standard input or output is not connected to the command');
  return { ok: true };
}

/** A plain sandbox fails for known reasons, so its explanation comes first. */
async function explainFailure(output: string, env: NodeJS.ProcessEnv): Promise<ShellTrial> {
  if (process.platform === 'linux') {
    const status = await findSandbox(env);
    if (!status.available) return { ok: false, why: status.why, install: status.hint };
  }
  return {
    ok: false,
    why: `the sandbox does not start: ${output.trim().slice(0, 300) || 'no output'}`,
    install: 'Run `guardkit doctor --verbose` and report its output.',
  };
}
