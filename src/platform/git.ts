import { type ProcessResult, runProcess } from './run-process.ts';

const TIMEOUT_MS = 30_000;

/**
 * The repository is hostile: nothing that it configures may run. Hooks, the file-system monitor, pagers and external
 * programs are off, and the caller's own GIT_* variables, which could point elsewhere, are taken away.
 */
const SAFE_CONFIG = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.pager=cat',
  'core.untrackedCache=false',
  'diff.external=',
  'protocol.ext.allow=never',
  'submodule.recurse=false',
  'commit.gpgSign=false',
  'advice.addEmbeddedRepo=false',
  'core.safecrlf=false',
  // A repository that trusts less than all of a file's stamps would let a changed file pass for an unchanged one.
  'core.trustctime=true',
  'core.checkStat=default',
  // A list in git's own folder would keep files of a tree out of the room that it is placed in.
  'core.sparseCheckout=false',
  'gc.auto=0',
  'maintenance.auto=false',
].flatMap((setting) => ['-c', setting]);

export interface GitOptions {
  timeoutMs?: number;
  /** GIT_* variables of our own: an index, a folder to work on. */
  env?: Readonly<Record<string, string>>;
  input?: string;
  maxOutputBytes?: number;
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
  options: GitOptions = {},
): Promise<ProcessResult> {
  const words = commands.map((args) => [...SAFE_CONFIG, ...args]);
  let position = 0;
  const script = words.map((own) => `git ${own.map(() => `"\${${++position}}"`).join(' ')}`).join(' && ');
  return start('/bin/sh', ['-c', script, 'sh', ...words.flat()], cwd, options);
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

function gitEnvironment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
  return {
    ...Object.fromEntries(inherited),
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    // Both let a repository show another history or other contents than those that its hashes name.
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_GRAFT_FILE: '/dev/null',
    LC_ALL: 'C',
  };
}
