import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';
import { findPerson } from '../../src/platform/processes/person.ts';
import { loadCli } from './load-cli.ts';
import { removeFolder } from './temporary-folder.ts';

/** The program as it is installed; `npm test` builds it first. */
export const PROGRAM = fileURLToPath(new URL('../../bin/guardkit', import.meta.url));

const { lookForSandbox, runCli } = await loadCli();

/** A program that hangs is a failure, not a pause. */
const TIMEOUT_MS = 50_000;

export interface CliResult {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** A command's failure as a program sees it. */
export interface CliFailure {
  exitCode: number | null;
  code: string;
  message: string;
  hint: string;
  /** Some name a feature and its field, some a place in a file. */
  faults?: { feature?: string; field?: string; file?: string; line?: number; code?: string }[];
}

export interface RunOptions {
  /** Name of a folder in the sandbox; default: a new one outside any repository. */
  in?: string;
  /** Undefined takes a variable away. */
  env?: Record<string, string | undefined>;
  input?: string | Uint8Array;
  /** Only for `guardkit`: a person sits at the terminal, and types the input. */
  person?: boolean;
  /** Only for `guardkit`: an agent is behind it though nothing shows, and how GuardKit found that out. */
  hiddenAgent?: string;
}

const GIT_SETTINGS = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'test',
  GIT_AUTHOR_EMAIL: 'test@example.invalid',
  GIT_COMMITTER_NAME: 'test',
  GIT_COMMITTER_EMAIL: 'test@example.invalid',
};

let begun: { folder: string; head: string } | undefined;

/** A repository with one commit, made once: starting git twice takes longer than copying its few files. */
function begunRepository(): { folder: string; head: string } {
  if (begun) return begun;
  const folder = mkdtempSync(join(inject('runFolder'), 'repository-'));
  const env = { ...GIT_SETTINGS, PATH: process.env.PATH };
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, env, encoding: 'utf8' }).trim();
  git('init', '--quiet', '--initial-branch=main', '--template=');
  git('commit', '--quiet', '--allow-empty', '--message', 'Begin');
  for (const name of ['hooks', 'info']) mkdirSync(join(folder, '.git', name));
  begun = { folder, head: git('rev-parse', 'HEAD') };
  return begun;
}

/** Without the shims of version managers: finding the program behind each costs a process, in every project. */
export const TEST_PATH = [dirname(process.execPath), ...(process.env.PATH ?? '').split(delimiter)]
  .filter((folder) => !folder.endsWith('/shims'))
  .join(delimiter);

/** A machine of its own for one test: data folder, home folder and git settings, and nothing of the caller's. */
export class Sandbox {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'guardkit-cli-')));
  readonly home = this.path('data');
  readonly database = this.path('data', 'guardkit.db');
  /** Set, this machine has no sandbox for `guardkit`, for this reason. */
  noSandbox: string | undefined;
  readonly env: Record<string, string> = {
    PATH: TEST_PATH,
    HOME: this.path('home'),
    GUARDKIT_HOME: this.home,
    ...GIT_SETTINGS,
    LANG: 'C.UTF-8',
  };

  constructor() {
    for (const name of ['home', 'outside']) mkdirSync(this.path(name));
  }

  path(...names: string[]): string {
    return join(this.folder, ...names);
  }

  /** Writes a file and gives its path. */
  write(name: string, content: unknown): string {
    const path = this.path(name);
    mkdirSync(dirname(path), { recursive: true });
    const isText = typeof content === 'string' || content instanceof Uint8Array;
    writeFileSync(path, isText ? content : JSON.stringify(content));
    return path;
  }

  git(folder: string, ...args: string[]): string {
    return execFileSync('git', args, { cwd: this.path(folder), env: this.env, encoding: 'utf8' }).trim();
  }

  /** A repository with one commit, and the id that GuardKit derives for it. */
  repository(name: string): string {
    const { folder, head } = begunRepository();
    cpSync(folder, this.path(name), { recursive: true });
    return `${name}-${head.slice(0, 4)}`;
  }

  emptyRepository(name: string): void {
    mkdirSync(this.path(name), { recursive: true });
    this.git(name, 'init', '--quiet', '--initial-branch=main');
  }

  commit(name: string, message: string): void {
    this.git(name, 'commit', '--quiet', '--allow-empty', '--message', message);
  }

  /** The built program, in a process of its own. */
  program(args: readonly string[], options: RunOptions = {}): Promise<CliResult> {
    return this.#run(process.execPath, [PROGRAM, ...args], options);
  }

  /** The same command line in this process, where starting costs nothing: for tables of many cases. */
  async guardkit(args: readonly string[], options: RunOptions = {}): Promise<CliResult> {
    const stdout = new Collector();
    const stderr = new Collector();
    const exitCode = await runCli(args, {
      cwd: this.path(options.in ?? 'outside'),
      env: { ...this.env, ...options.env },
      stdin: Readable.from([Buffer.from(options.input ?? '')]),
      stdout,
      stderr,
      findPerson: () =>
        options.person
          ? { present: true }
          : { present: false, why: 'there is no terminal to ask a person on' },
      ...(options.hiddenAgent === undefined ? {} : { findAgentsTerminal: async () => options.hiddenAgent }),
      findSandbox: async () =>
        this.noSandbox === undefined
          ? lookForSandbox(process.env)
          : { available: false, why: this.noSandbox, hint: 'Install bubblewrap.' },
    });
    return { exitCode, signal: null, stdout: stdout.text, stderr: stderr.text };
  }

  /** The failure that a command reports; a command that does not fail fails here. */
  async failure(args: readonly string[], options?: RunOptions): Promise<CliFailure> {
    const { exitCode, stdout } = await this.guardkit([...args, '--json'], options);
    return { exitCode, ...JSON.parse(stdout).error };
  }

  graphiti(args: readonly string[], options?: RunOptions): Promise<CliResult> {
    return this.guardkit(['graphiti', ...args], options);
  }

  /** The one JSON document that a command prints; anything else on standard output fails here. */
  async json(args: readonly string[], options?: RunOptions): Promise<Record<string, unknown>> {
    const { stdout } = await this.graphiti([...args, '--json'], options);
    return JSON.parse(stdout) as Record<string, unknown>;
  }

  /** A shell's command line, in which `$GUARDKIT` is the program. */
  shell(commandLine: string, options: RunOptions = {}): Promise<CliResult> {
    return this.#run('/bin/sh', ['-c', commandLine], {
      ...options,
      env: { ...options.env, GUARDKIT: `${process.execPath} ${PROGRAM}` },
    });
  }

  /** A command line on a terminal of its own: `typed` is what a person types there. Both outputs arrive as one. */
  terminal(commandLine: string, typed: string, options: RunOptions = {}): Promise<CliResult> {
    return this.#run('script', ['--quiet', '--return', '--command', commandLine, '/dev/null'], {
      ...options,
      input: typed,
      env: { ...options.env, GUARDKIT: `${process.execPath} ${PROGRAM}`, SHELL: '/bin/sh' },
    });
  }

  /** Everything in the store, one record a line, in an order that does not depend on when it was written. */
  async records(): Promise<string[]> {
    const { stdout } = await this.graphiti(['export']);
    return stdout.trimEnd().split('\n').sort();
  }

  archive(): string[] {
    const folder = join(this.home, 'archive');
    return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
  }

  cleanup(): void {
    removeFolder(this.folder);
  }

  #run(command: string, args: readonly string[], options: RunOptions): Promise<CliResult> {
    const env = Object.fromEntries(
      Object.entries({ ...this.env, ...options.env }).filter(([, value]) => value !== undefined),
    );
    const child = spawn(command, args, {
      cwd: this.path(options.in ?? 'outside'),
      env,
      timeout: TIMEOUT_MS,
      killSignal: 'SIGKILL',
    });
    // A program that refuses at once does not read what it is given.
    child.stdin.on('error', () => {});
    child.stdin.end(options.input ?? '');
    return collect(child);
  }
}

class Collector extends Writable {
  readonly #chunks: Buffer[] = [];

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#chunks.push(chunk);
    done();
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }
}

function collect(child: ChildProcess): Promise<CliResult> {
  const read = (stream: NodeJS.ReadableStream | null): Buffer[] => {
    const chunks: Buffer[] = [];
    stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
    return chunks;
  };
  const stdout = read(child.stdout);
  const stderr = read(child.stderr);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode, signal) =>
      resolve({
        exitCode,
        signal,
        stdout: Buffer.concat(stdout).toString('utf8'),
        stderr: Buffer.concat(stderr).toString('utf8'),
      }),
    );
  });
}

/** Why no person can be played here, if so: tests that need one skip by that name. */
export function whyNoTerminal(): string | undefined {
  try {
    execFileSync('script', ['--version'], { stdio: 'ignore' });
  } catch {
    return 'the program "script" of util-linux is not installed';
  }
  const person = findPerson({}, true);
  return person.present ? undefined : person.why;
}
