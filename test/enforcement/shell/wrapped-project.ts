import { execFileSync, type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  type RefreshedProfiles,
  refreshProfiles,
  type ShellContext,
} from '../../../src/enforcement/shell/refresh-profiles.ts';
import type { ShellAllowances } from '../../../src/enforcement/shell/sandbox-covers.ts';
import { shellLauncherPath } from '../../../src/enforcement/shell/write-launcher.ts';
import { findGitFolder, type GitFolder, otherCheckouts } from '../../../src/platform/git/git-folder.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A uid that no usual machine has. */
export const OTHER_USER = 47_911;

export interface WrappedOptions {
  /** Folder names, to test spaces and quotes. */
  names?: { project?: string; data?: string };
  allow?: ShellAllowances;
  globs?: readonly string[];
  /** Runs commands as this user (root only). */
  uid?: number;
}

/** A repository with definitions, settings and hooks, whose commands run in the wrapper. */
export class WrappedProject {
  readonly top: string;
  readonly folder: string;
  readonly home: string;
  readonly data: string;
  readonly options: WrappedOptions;

  constructor(options: WrappedOptions = {}, top = realpathSync(temporaryFolder())) {
    this.options = options;
    this.top = top;
    this.folder = join(top, options.names?.project ?? 'project');
    this.home = join(top, 'home');
    this.data = join(this.home, options.names?.data ?? '.guardkit');
    mkdirSync(join(this.home, '.claude', 'skills'), { recursive: true });
    mkdirSync(this.data);
    mkdirSync(this.folder);
    for (const name of ['.bashrc', '.gitconfig', '.claude/settings.json'])
      writeFileSync(join(this.home, name), '');
    this.write('.gitignore', '.claude/settings.local.json\n.claude/progress/\n');
    this.write('.guardkit/config.yaml', 'project: shop\n');
    this.write('.guardkit/guards/a.yaml', 'a: 1\n');
    this.write('tasks/TASK-1.md', 'one\n');
    this.write('.claude/agents/coder.md', 'coder\n');
    this.write('.claude/settings.json', '{}\n');
    this.write('src/a.js', '1\n');
    this.git('init', '-q', '-b', 'main');
    this.git('add', '-A');
    this.git('commit', '-qm', 'begin');
    this.write('.claude/settings.local.json', '{}\n');
    this.write('.claude/progress/list.json', '[]\n');
    this.write('tasks/TASK-2.md', 'untracked\n');
  }

  path(path: string): string {
    return join(this.folder, path);
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(this.path(path)), { recursive: true });
    writeFileSync(this.path(path), text);
  }

  read(path: string): string {
    return readFileSync(this.path(path), 'utf8');
  }

  /** The person's git, outside the wrapper. */
  git(...args: string[]): string {
    return execFileSync('git', args, { cwd: this.folder, encoding: 'utf8', env: this.env() });
  }

  get gitFolder(): GitFolder {
    const found = findGitFolder(this.folder);
    if (!found) throw new Error(`${this.folder} is not a repository`);
    return found;
  }

  shellContext(): ShellContext {
    const { allow = {}, globs = [], uid } = this.options;
    const git = this.gitFolder;
    return {
      checkout: this.folder,
      git,
      dataFolder: this.data,
      home: this.home,
      configLocations: [],
      globs,
      otherCheckouts: otherCheckouts(git),
      allow,
      ...(uid === undefined ? {} : { uid }),
    };
  }

  refresh(): RefreshedProfiles {
    const refreshed = refreshProfiles(this.shellContext());
    const { uid } = this.options;
    if (uid !== undefined) execFileSync('chown', ['-R', `${uid}:${uid}`, this.top]);
    return refreshed;
  }

  get launcher(): string {
    return shellLauncherPath(this.data, this.gitFolder);
  }

  /** A command of the agent. */
  run(command: string, { cwd = this.folder, input = '' } = {}): SpawnSyncReturns<string> {
    const { uid } = this.options;
    const as = uid === undefined ? [] : ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups'];
    const [program = '', ...args] = [...as, this.launcher, command];
    return spawnSync(program, args, { cwd, input, encoding: 'utf8', env: this.env(), maxBuffer: 2 ** 28 });
  }

  env(): NodeJS.ProcessEnv {
    return {
      PATH: process.env.PATH,
      HOME: this.home,
      SHELL: '/bin/bash',
      GIT_AUTHOR_NAME: 'Ada',
      GIT_AUTHOR_EMAIL: 'ada@example.org',
      GIT_COMMITTER_NAME: 'Ada',
      GIT_COMMITTER_EMAIL: 'ada@example.org',
    };
  }
}
