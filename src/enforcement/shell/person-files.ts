import type { OrderFolder } from '../../domain/order-folders.ts';
import { type BytePath, toBytePath } from './byte-path.ts';

/** Files and folders in a home folder that agents, git and shells take orders from, without the ones that programs keep rewriting. */
const HOME_PATHS = [
  ...['settings.json', 'settings.local.json', 'hooks', 'agents', 'commands', 'skills', 'plugins'].map(
    (name) => `.claude/${name}`,
  ),
  ...['.codex/config.toml', '.codex/hooks', '.codex/hooks.json', '.codex/prompts', '.codex/rules'],
  ...['.gemini/settings.json', '.gemini/commands', '.gemini/extensions'],
  ...['.cursor/hooks.json', '.cursor/hooks', '.cursor/mcp.json', '.qwen/settings.json'],
  ...['opencode.json', 'opencode.jsonc', 'plugin', 'plugins', 'agent', 'command'].map(
    (name) => `.config/opencode/${name}`,
  ),
  ...['.bashrc', '.bash_profile', '.bash_login', '.bash_logout', '.bash_aliases', '.profile'],
  ...['.zshrc', '.zshenv', '.zprofile', '.zlogin', '.zlogout', '.config/fish'],
  ...['.gitconfig', '.config/git'],
];

/** Where git looks for a person's configuration. */
const GIT_CONFIGS = ['.gitconfig', '.config/git/config'];

/** Rewritten by the agent's own program all the time. */
const BUSY = '.claude.json';

export function personPaths(home: BytePath, folders: readonly OrderFolder[]): BytePath[] {
  return [
    ...HOME_PATHS.map((path) => `${home}/${path}`),
    ...folders.flatMap(({ folder, roots }) =>
      roots.filter((name) => name !== BUSY).map((name) => toBytePath(`${folder}/${name}`)),
    ),
  ];
}

export function personGitConfigs(home: BytePath, folders: readonly OrderFolder[]): BytePath[] {
  return [
    ...GIT_CONFIGS.map((path) => `${home}/${path}`),
    ...folders.flatMap(({ folder, roots, asAtHome }) =>
      roots
        .filter((name) => GIT_CONFIGS.includes(asAtHome(name)))
        .map((name) => toBytePath(`${folder}/${name}`)),
    ),
  ];
}
