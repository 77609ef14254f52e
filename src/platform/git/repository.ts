import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { GuardKitError } from '../../guardkit-error.ts';
import type { ProcessResult } from '../processes/run-process.ts';
import { type GitAllOptions, type GitOptions, git, gitAll } from './git.ts';
import { findGitFolder, type GitFolder } from './git-folder.ts';
import { readHead } from './git-refs.ts';
import { lfsSettings } from './lfs-settings.ts';

const MAX_OUTPUT = 256 * 1024 * 1024;

/** Settings that make git run a program on file contents. */
const CONTENT_PROGRAM =
  /^(?:filter\..+\.(?:clean|smudge|process)|diff\..+\.(?:command|textconv)|merge\..+\.driver)$/i;
const FILTER_REQUIRED = /^filter\..+\.required$/i;

/**
 * One working tree of one repository, whose settings can neither run a program nor redirect git. The repository names its
 * filters, so they are listed first and disabled by name. Git LFS is replaced by a filter of our own.
 */
export class Repository {
  readonly folder: GitFolder;
  readonly #env: Readonly<Record<string, string>>;

  private constructor(folder: GitFolder, env: Readonly<Record<string, string>>) {
    this.folder = folder;
    this.#env = env;
  }

  static async open(cwd: string): Promise<Repository> {
    const folder = findGitFolder(cwd);
    if (!folder) throw notARepository(cwd);
    return Repository.#hardened(folder);
  }

  static async #hardened(folder: GitFolder): Promise<Repository> {
    const folders = { GIT_DIR: folder.gitDir, GIT_WORK_TREE: folder.root };
    const cwd = existsSync(folder.root) ? folder.root : folder.commonDir;
    const listed = await git(cwd, ['config', '--list', '--name-only', '-z'], { env: folders });
    if (listed.exitCode !== 0) throw gitFailed('config', listed.stderr);
    const names = [...new Set(listed.stdout.split('\0'))];
    const lfs = lfsSettings(names, folder);
    const settings = [...switchedOff(names), ...(lfs?.settings ?? [])];
    return new Repository(folder, { ...folders, ...asVariables(settings), ...lfs?.env });
  }

  /**
   * Another folder as a working tree of this repository or of a submodule; its files are not trusted. Its own settings are
   * read too.
   */
  worktree(root: string, gitDir: string): Promise<Repository> {
    return Repository.#hardened({ ...this.folder, root, gitDir });
  }

  get root(): string {
    return this.folder.root;
  }

  /** Git's output; throws git's error if it failed. */
  async run(args: readonly string[], options: GitOptions = {}): Promise<string> {
    return printed(args[0], await this.attempt(args, options));
  }

  /** Runs several commands in sequence and returns their combined output; throws git's error if one failed. */
  async runAll(commands: readonly (readonly string[])[], options: GitAllOptions = {}): Promise<string> {
    const names = commands.map(([name]) => name).join(', git ');
    return printed(names, await gitAll(this.root, commands, this.#options(options)));
  }

  /** Like `runAll`, with the output of each command. */
  async runEach(commands: readonly (readonly string[])[], options: GitOptions = {}): Promise<string[]> {
    // Random, so that nothing in a repository can contain it.
    const separator = randomUUID();
    return (await this.runAll(commands, { ...options, separator })).split(separator);
  }

  attempt(args: readonly string[], options: GitOptions = {}) {
    return git(this.root, args, this.#options(options));
  }

  #options<Options extends GitOptions>(options: Options): Options {
    return { maxOutputBytes: MAX_OUTPUT, ...options, env: { ...this.#env, ...options.env } };
  }

  /** Resolves a name to a commit; undefined if there is none. */
  async commit(name: string): Promise<string | undefined> {
    const head = name === 'HEAD' ? readHead(this.folder) : undefined;
    if (head !== undefined) return head;
    const { exitCode, stdout } = await this.attempt([
      'rev-parse',
      '--verify',
      '--quiet',
      '--end-of-options',
      `${name}^{commit}`,
    ]);
    return exitCode === 0 ? stdout.trim() : undefined;
  }

  /** Whether one commit is an ancestor of another, or the same. */
  async isAncestor(one: string, other: string): Promise<boolean> {
    return one === other || (await this.attempt(['merge-base', '--is-ancestor', one, other])).exitCode === 0;
  }
}

function printed(name: string | undefined, result: ProcessResult): string {
  if (result.exitCode !== 0) throw gitFailed(name, result.stderr || describeEnd(result));
  if (result.truncated) throw gitFailed(name, `its output is larger than ${MAX_OUTPUT} bytes`);
  return result.stdout;
}

function switchedOff(names: readonly string[]): [name: string, value: string][] {
  return names.flatMap((name): [string, string][] => {
    if (CONTENT_PROGRAM.test(name)) return [[name, '']];
    return FILTER_REQUIRED.test(name) ? [[name, 'false']] : [];
  });
}

function asVariables(settings: readonly [name: string, value: string][]): Record<string, string> {
  return Object.fromEntries([
    ['GIT_CONFIG_COUNT', String(settings.length)],
    ...settings.flatMap(([name, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, name],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ]);
}

function describeEnd({ signal, timedOut }: { signal: string | null; timedOut: boolean }): string {
  return timedOut ? 'it took too long and was ended' : `it was ended by ${signal}`;
}

function notARepository(cwd: string): GuardKitError {
  return new GuardKitError({
    code: 'git.not-a-repository',
    kind: 'input',
    message: `${cwd} is not in a git repository.`,
    hint: 'Run the command inside the project, or run `git init`.',
  });
}

/** An object is not there, or not any more. */
const MISSING_OBJECT = /not a tree object|bad object|unable to read (?:tree|sha1)|missing object/i;

function gitFailed(name: string | undefined, said: string): GuardKitError {
  const isMissing = MISSING_OBJECT.test(said);
  return new GuardKitError({
    code: isMissing ? 'git.object-missing' : 'git.failed',
    kind: 'outside',
    message: `git ${name} failed: ${said.trim().slice(0, 2000)}`,
    hint: isMissing
      ? 'If `git gc --prune=now` or `git prune` ran meanwhile, it removed objects that were in use: run the command again. Otherwise `git fsck` shows what is damaged.'
      : 'Run the same git command in the project to see more; `git fsck` finds a damaged repository.',
  });
}
