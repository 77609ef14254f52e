import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { gitEnvironment, SAFE_CONFIG } from './safe-git.ts';

/** Others may wait for the ledger meanwhile, and give up after ten seconds. On a busy machine git can take several. */
const TIMEOUT_MS = 8000;
const MAX_OUTPUT = 16 * 1024 * 1024;

/**
 * The commit-graph file could be forged, and the repository chooses the program that checks signatures.
 */
const MORE_CONFIG = ['-c', 'core.commitGraph=false', '-c', 'log.showSignature=false'];

/**
 * Runs git synchronously and returns its output; undefined if it failed. Only for commands that do not read working files:
 * filters are not disabled here.
 */
export function gitSync(
  gitDir: string,
  args: readonly string[],
  input = '',
  successes: readonly number[] = [0],
): string | undefined {
  return gitBytesSync(gitDir, args, input, successes)?.toString('utf8');
}

/** Same, as bytes. */
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

/** For commands that talk to a remote: they never ask for a password, and fetch nothing that was not asked for. */
export function remoteEnvironment(): NodeJS.ProcessEnv {
  return {
    ...gitEnvironment(),
    GIT_CEILING_DIRECTORIES: '/',
    GIT_ASKPASS: 'true',
    GIT_SSH_COMMAND: 'ssh -o BatchMode=yes',
    GIT_NO_LAZY_FETCH: '1',
  };
}

const REMOTE_TIMEOUT_MS = 5000;

/**
 * The current commits of branches on a remote, by name. Runs outside the repository, so that its configuration cannot redirect the
 * request. Empty if the remote does not answer.
 */
export function branchesOnRemote(url: string, branches: readonly string[]): ReadonlyMap<string, string> {
  // Such a URL is an option or a program, not a remote.
  if (url.startsWith('-') || /^(?:ext|fd)::/i.test(url)) return new Map();
  const refs = branches.map((name) => `refs/heads/${name}`);
  const { status, stdout } = spawnSync('git', [...SAFE_CONFIG, 'ls-remote', '--', url, ...refs], {
    cwd: tmpdir(),
    env: remoteEnvironment(),
    timeout: REMOTE_TIMEOUT_MS,
    killSignal: 'SIGKILL',
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  if (status !== 0) return new Map();
  return new Map(
    stdout.split('\n').flatMap((line) => {
      const [, commit, name] = /^([0-9a-f]{40,64})\trefs\/heads\/(.+)$/.exec(line) ?? [];
      return commit !== undefined && name !== undefined ? [[name, commit]] : [];
    }),
  );
}
