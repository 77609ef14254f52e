import { existsSync } from 'node:fs';
import { findBubblewrap } from '../../platform/sandbox/find-sandbox.ts';
import { isProgram } from '../../platform/sandbox/is-program.ts';
import { type ShellRepository, shellFolder } from './shell-folder.ts';
import { shellPrefix } from './shell-launcher.ts';

export type ShellTier = { tier: 'kernel' } | { tier: 'none'; why: string };

/**
 * Whether the commands of the agent that started this hook are wrapped. Claude Code gives its hooks the environment that it
 * takes the prefix from, so that the variable shows the prefix in use, whichever settings file it comes from. Anything
 * that is broken behind it makes the launcher refuse commands, never run them unwrapped.
 */
export function shellTier(
  env: NodeJS.ProcessEnv,
  dataFolder: string,
  repository: ShellRepository,
): ShellTier {
  const none = (why: string): ShellTier => ({ tier: 'none', why });
  const prefix = env.CLAUDE_CODE_SHELL_PREFIX;
  if (!prefix) return none('CLAUDE_CODE_SHELL_PREFIX is not set');
  if (prefix !== shellPrefix(dataFolder, repository))
    return none(`CLAUDE_CODE_SHELL_PREFIX is another program (${prefix.slice(0, 200)})`);
  const { launcher, profiles } = shellFolder(dataFolder, repository);
  if (!isProgram(launcher)) return none(`the launcher is missing (${launcher})`);
  if (!existsSync(profiles.ordinary))
    return none(`the list of protected paths is missing (${profiles.ordinary})`);
  if (process.platform === 'linux' && findBubblewrap(env.PATH) === undefined)
    return none('bubblewrap is not installed');
  return { tier: 'kernel' };
}
