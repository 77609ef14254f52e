import { spawnSync } from 'node:child_process';
import { gitEnvironment, SAFE_CONFIG } from './safe-git.ts';

const TIMEOUT_MS = 8000;

export interface IgnoreRule {
  path: string;
  /** The file with the rule, relative to the project if it is in there. */
  source: string;
  /** As git shows it: file, line and pattern. */
  shown: string;
}

/** The rules by which git ignores some paths, tracked or not. */
export function ignoreRules(root: string, paths: readonly string[]): IgnoreRule[] {
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
    const [, shown = '', source = '', path = ''] = /^(([^:]*):\d+:[^!][^\t]*)\t(.*)$/.exec(line) ?? [];
    return shown === '' ? [] : [{ path, source, shown }];
  });
}

/** Those of some paths that a committed `.gitignore` ignores; a person's own settings do not hold for others. */
export function ignoredByProject(root: string, paths: readonly string[]): string[] {
  return ignoreRules(root, paths)
    .filter(({ source }) => /^(?:[^/].*\/)?\.gitignore$/.test(source))
    .map(({ path }) => path);
}
