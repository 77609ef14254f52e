import type { ConfigLocation } from '../../domain/protection/config-locations.ts';
import { type BytePath, toBytePath } from './byte-path.ts';
import type { StampedReads } from './stamped-reads.ts';

/** Settings in a folder of Claude Code's. */
const CLAUDE_NAMES = [
  ...['settings.json', 'settings.local.json', 'hooks', 'agents', 'commands', 'skills', 'plugins'],
];

/** Files and folders in a home folder that agents, git and shells take orders from, without the ones that programs keep rewriting. */
const HOME_PATHS = [
  ...CLAUDE_NAMES.map((name) => `.claude/${name}`),
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

export function personPaths(home: BytePath, folders: readonly ConfigLocation[]): BytePath[] {
  return [
    ...HOME_PATHS.map((path) => `${home}/${path}`),
    ...folders.flatMap(({ folder, roots }) =>
      roots.filter((name) => name !== BUSY).map((name) => toBytePath(`${folder}/${name}`)),
    ),
  ];
}

export function personGitConfigs(home: BytePath, folders: readonly ConfigLocation[]): BytePath[] {
  return [
    ...GIT_CONFIGS.map((path) => `${home}/${path}`),
    ...folders.flatMap(({ folder, roots, asAtHome }) =>
      roots
        .filter((name) => GIT_CONFIGS.includes(asAtHome(name)))
        .map((name) => toBytePath(`${folder}/${name}`)),
    ),
  ];
}

export interface ClaudeFolder {
  path: BytePath;
  /** Everything in it that is data of Claude Code's, not settings. */
  data: BytePath[];
}

/**
 * The folders with the person's own settings for Claude Code. They are closed as a whole: settings that do not exist yet
 * could otherwise be created, and hooks in them would run outside the sandbox.
 */
export function claudeFolders(
  reads: StampedReads,
  home: BytePath,
  folders: readonly ConfigLocation[],
): ClaudeFolder[] {
  const paths = [
    `${home}/.claude`,
    ...folders.filter(({ roots }) => roots.includes('settings.json')).map(({ folder }) => toBytePath(folder)),
  ];
  return paths.flatMap((path) => {
    const found = reads.resolve(path);
    if (found?.kind !== 'folder') return [];
    const data = reads
      .entries(found.path)
      .filter(({ name, kind }) => !CLAUDE_NAMES.includes(name) && (kind === 'folder' || kind === 'file'))
      .map(({ name }) => `${found.path}/${name}`);
    return [{ path: found.path, data }];
  });
}
