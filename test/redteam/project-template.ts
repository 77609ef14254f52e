import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { projectFiles } from './project-files.ts';

export const SYSTEM_PATH = [
  dirname(process.execPath),
  '/usr/local/bin',
  '/usr/bin',
  '/bin',
  '/usr/sbin',
  '/sbin',
];

let template: string | undefined;

/** One project for all cases of a file, copied for each. */
export function templateFolder(): string {
  if (template !== undefined) return template;
  const folder = join(mkdtempSync(join(realpathSync(tmpdir()), 'guardkit-redteam-')), 'project');
  for (const [path, text] of Object.entries(projectFiles())) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, env: gitEnvironment() });
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-q', '-m', 'begin');
  template = folder;
  return folder;
}

/** After each test file; the next one may share loaded modules, but creates its own template. */
export function removeTemplate(): void {
  if (template !== undefined) rmSync(dirname(template), { recursive: true, force: true });
  template = undefined;
}

export function gitEnvironment(): Record<string, string> {
  return {
    PATH: SYSTEM_PATH.join(delimiter),
    HOME: '/nonexistent',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'Ada',
    GIT_AUTHOR_EMAIL: 'ada@example.org',
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'ada@example.org',
  };
}
