import { type ProcessResult, runProcess } from '../processes/run-process.ts';
import { gitEnvironment, SAFE_CONFIG } from './safe-git.ts';

const TIMEOUT_MS = 30_000;

export interface GitOptions {
  timeoutMs?: number;
  /** GIT_* variables set by GuardKit, such as an index or a folder. */
  env?: Readonly<Record<string, string>>;
  input?: string;
  maxOutputBytes?: number;
}

export interface GitAllOptions extends GitOptions {
  /** Separates the outputs of the commands. */
  separator?: string;
}

export function git(cwd: string, args: readonly string[], options: GitOptions = {}): Promise<ProcessResult> {
  return start('git', [...SAFE_CONFIG, ...args], cwd, options);
}

/**
 * Runs several commands in sequence, up to the first failure; the input goes to the one that reads it. A shell starts them,
 * because forking a small process is faster; it gets every word as a parameter, none as script text.
 */
export function gitAll(
  cwd: string,
  commands: readonly (readonly string[])[],
  { separator, ...options }: GitAllOptions = {},
): Promise<ProcessResult> {
  const words = commands.map((args) => [...SAFE_CONFIG, ...args]);
  let position = 1;
  const script = words
    .map((own) => `git ${own.map(() => `"\${${++position}}"`).join(' ')}`)
    .join(separator === undefined ? ' && ' : ' && printf %s "$1" && ');
  return start('/bin/sh', ['-c', script, 'sh', separator ?? '', ...words.flat()], cwd, options);
}

function start(
  program: string,
  args: readonly string[],
  cwd: string,
  { timeoutMs = TIMEOUT_MS, env = {}, input, maxOutputBytes }: GitOptions,
): Promise<ProcessResult> {
  return runProcess(program, args, {
    cwd,
    env: { ...gitEnvironment(), ...env },
    timeoutMs,
    ...(input === undefined ? {} : { input }),
    ...(maxOutputBytes === undefined ? {} : { maxOutputBytes }),
  });
}
