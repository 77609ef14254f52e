import { spawnSync } from 'node:child_process';
import { gitEnvironment, SAFE_CONFIG } from './safe-git.ts';

const TIMEOUT_MS = 8000;

/** Those of some paths that a committed `.gitignore` ignores; a person's own settings do not hold for others. */
export function ignoredByProject(root: string, paths: readonly string[]): string[] {
  const { status, stdout } = spawnSync(
    'git',
    [...SAFE_CONFIG, 'check-ignore', '-v', '--no-index', '--', ...paths],
    {
      cwd: root,
      env: gitEnvironment(),
      encoding: 'utf8',
      timeout: TIMEOUT_MS,
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  if (status !== 0) return [];
  return stdout.split('\n').flatMap((line) => {
    const [, source = '', path = ''] = /^([^:]*):\d+:[^!][^\t]*\t(.*)$/.exec(line) ?? [];
    return /^(?:[^/].*\/)?\.gitignore$/.test(source) ? [path] : [];
  });
}
