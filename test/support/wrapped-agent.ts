import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startBroker } from '../../src/enforcement/broker/start-broker.ts';
import { shellFolder } from '../../src/enforcement/shell/shell-folder.ts';
import { findGitFolder } from '../../src/platform/git/git-folder.ts';
import { allProcesses, commandOf, environmentOf } from '../../src/platform/processes/process-table.ts';
import type { CliResult, Sandbox } from './cli.ts';
import { PROGRAM } from './cli.ts';

export interface WrappedOptions {
  /** What the agent has set. */
  env?: Record<string, string>;
  input?: string;
}

export interface Running {
  child: ChildProcess;
  ended: Promise<CliResult>;
}

/** An agent whose commands run in a wrapper: the data folder is read-only there, everything else as outside. */
export class WrappedAgent {
  readonly #sandbox: Sandbox;
  readonly #folder: string;
  readonly #marks: string;

  constructor(sandbox: Sandbox, folder: string) {
    this.#sandbox = sandbox;
    this.#folder = sandbox.path(folder);
    const git = findGitFolder(this.#folder);
    if (!git) throw new Error(`${this.#folder} is not a repository`);
    this.#marks = shellFolder(sandbox.home, git).marks;
    for (const name of ['ordinary', 'git', 'current'])
      mkdirSync(join(this.#marks, name), { recursive: true });
  }

  get dataFolder(): string {
    return this.#sandbox.home;
  }

  startBroker(env: Record<string, string> = {}): Promise<boolean> {
    return startBroker(this.dataFolder, { ...this.#sandbox.env, ...env });
  }

  /** Processes of brokers of this data folder. */
  brokers(): number[] {
    return allProcesses().filter(
      (pid) =>
        commandOf(pid)?.at(-1) === 'serve' && environmentOf(pid).includes(`GUARDKIT_HOME=${this.dataFolder}`),
    );
  }

  endBrokers(signal: NodeJS.Signals = 'SIGTERM'): void {
    for (const pid of this.brokers()) process.kill(pid, signal);
  }

  guardkit(args: readonly string[], options: WrappedOptions = {}): Promise<CliResult> {
    return this.start([process.execPath, PROGRAM, ...args], options).ended;
  }

  /** A shell's command line, in which `$GUARDKIT` is the program. */
  shell(commandLine: string, options: WrappedOptions = {}): Promise<CliResult> {
    const env = { ...options.env, GUARDKIT: `${process.execPath} ${PROGRAM}` };
    return this.start(['/bin/sh', '-c', commandLine], { ...options, env }).ended;
  }

  /** The command line that runs a command line in the wrapper. */
  wrapped(words: readonly string[]): readonly [string, ...string[]] {
    const root =
      process.getuid?.() === 0 ? ['--cap-drop', 'CAP_SYS_ADMIN', '--cap-drop', 'CAP_SYS_PTRACE'] : [];
    const mounts = [
      ['--dev-bind', '/', '/'],
      ['--ro-bind', this.dataFolder, this.dataFolder],
      ['--ro-bind', join(this.#marks, 'ordinary'), join(this.#marks, 'current')],
    ].flat();
    return ['bwrap', ...mounts, ...root, '--', ...words];
  }

  start(words: readonly string[], { env = {}, input = '' }: WrappedOptions = {}): Running {
    const [program, ...args] = this.wrapped(words);
    const child = spawn(program, args, {
      cwd: this.#folder,
      env: { ...this.#sandbox.env, ...env },
    });
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    const [stdout, stderr] = [child.stdout, child.stderr].map((stream) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      return chunks;
    });
    const text = (chunks: readonly Buffer[] = []) => Buffer.concat(chunks).toString('utf8');
    const ended = new Promise<CliResult>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (exitCode, signal) =>
        resolve({ exitCode, signal, stdout: text(stdout), stderr: text(stderr) }),
      );
    });
    return { child, ended };
  }
}
