import { spawnSync } from 'node:child_process';
import { gitEnvironment, SAFE_CONFIG } from './safe-git.ts';

/** Short, since others wait for the ledger meanwhile. */
const TIMEOUT_MS = 3000;
const MAX_OUTPUT = 16 * 1024 * 1024;

/**
 * A file in git's folder that shortens how history is read is one more file that could lie, and a signature is checked by
 * a program that the repository names.
 */
const MORE_CONFIG = ['-c', 'core.commitGraph=false', '-c', 'log.showSignature=false'];

/**
 * What git printed, for those who cannot wait in any other way; undefined if it failed. It must be a command that touches
 * neither the working files nor their contents: filters are not switched off here.
 */
export function gitSync(
  gitDir: string,
  args: readonly string[],
  input = '',
  successes: readonly number[] = [0],
): string | undefined {
  return gitBytesSync(gitDir, args, input, successes)?.toString('utf8');
}

/** The same, byte for byte. */
export function gitBytesSync(
  gitDir: string,
  args: readonly string[],
  input = '',
  successes: readonly number[] = [0],
): Buffer | undefined {
  const { status, stdout } = spawnSync('git', [...SAFE_CONFIG, ...MORE_CONFIG, ...args], {
    cwd: gitDir,
    env: { ...gitEnvironment(), GIT_DIR: gitDir },
    input,
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
    maxBuffer: MAX_OUTPUT,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  return status !== null && successes.includes(status) ? stdout : undefined;
}
