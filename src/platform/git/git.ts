import { type ProcessResult, runProcess } from '../processes/run-process.ts';
import { gitEnvironment, SAFE_CONFIG } from './safe-git.ts';

const TIMEOUT_MS = 30_000;

export interface GitOptions {
  timeoutMs?: number;
  /** GIT_* variables of our own: an index, a folder to work on. */
  env?: Readonly<Record<string, string>>;
  input?: string;
  maxOutputBytes?: number;
}

export interface GitAllOptions extends GitOptions {
  /** Printed between what one command prints and what the next one does. */
  separator?: string;
}

export function git(cwd: string, args: readonly string[], options: GitOptions = {}): Promise<ProcessResult> {
  return start('git', [...SAFE_CONFIG, ...args], cwd, options);
}

/**
 * Several commands one after the other, up to the first that fails; the input is for the one that reads it. Starting a
 * process costs more the larger the one is that starts it, so that a shell starts them: it gets every word as a
 * parameter and none as text.
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
