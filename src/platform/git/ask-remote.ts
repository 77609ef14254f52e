import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { gitEnvironment, SAFE_CONFIG } from './safe-git.ts';

const TIMEOUT_MS = 5000;

/**
 * The commits that branches have on a remote now. It is asked from outside the repository, so that nothing in the
 * repository's own configuration can send the question elsewhere. Empty where the remote gives no answer.
 */
export function branchesOnRemote(url: string, branches: readonly string[]): string[] {
  // An address like this is an option or a program, not a remote.
  if (url.startsWith('-') || /^(?:ext|fd)::/i.test(url)) return [];
  const refs = branches.map((name) => `refs/heads/${name}`);
  const { status, stdout } = spawnSync('git', [...SAFE_CONFIG, 'ls-remote', '--', url, ...refs], {
    cwd: tmpdir(),
    env: {
      ...gitEnvironment(),
      GIT_CEILING_DIRECTORIES: '/',
      GIT_ASKPASS: 'true',
      GIT_SSH_COMMAND: 'ssh -o BatchMode=yes',
    },
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  if (status !== 0) return [];
  return stdout
    .split('\n')
    .flatMap((line) => /^([0-9a-f]{40,64})\trefs\/heads\/(.+)$/.exec(line)?.slice(1, 2) ?? []);
}
