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
  'diff.external=',
  'protocol.ext.allow=never',
  'submodule.recurse=false',
].flatMap((setting) => ['-c', setting]);

export function git(cwd: string, args: readonly string[], timeoutMs = TIMEOUT_MS): Promise<ProcessResult> {
  return runProcess('git', [...SAFE_CONFIG, ...args], { cwd, env: gitEnvironment(), timeoutMs });
}

function gitEnvironment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
  return { ...Object.fromEntries(inherited), GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' };
}
