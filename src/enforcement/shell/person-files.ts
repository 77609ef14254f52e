import type { ConfigLocation } from '../../domain/protection/config-locations.ts';
import { type BytePath, toBytePath } from './byte-path.ts';
import type { StampedReads } from './stamped-reads.ts';

/** Settings in a Claude Code folder. */
const CLAUDE_NAMES = [
  ...['settings.json', 'settings.local.json', 'hooks', 'agents', 'commands', 'skills', 'plugins'],
];

/** Effective files of agents, git and shells in a home folder, without those that programs rewrite all the time. */
const HOME_PATHS = [
  ...CLAUDE_NAMES.map((name) => `.claude/${name}`),
  ...[
    '.codex/config.toml',
    '.codex/hooks',
    '.codex/hooks.json',
    '.codex/prompts',
    '.codex/rules',
    '.codex/skills',
  ],
  ...['.gemini/settings.json', '.gemini/commands', '.gemini/extensions', '.gemini/agents', '.gemini/skills'],
  ...['.cursor/hooks.json', '.cursor/hooks', '.cursor/mcp.json', '.qwen/settings.json'],
  ...['settings.json', 'hooks', 'mcp-config.json', 'agents', 'skills', 'extensions', 'installed-plugins'].map(
    (name) => `.copilot/${name}`,
  ),
  '.agents/skills',
  ...['.qwen/commands', '.qwen/extensions', '.qwen/skills', '.qwen/agents'],
  ...['opencode.json', 'opencode.jsonc', 'plugin', 'plugins', 'agent', 'command'].map(
    (name) => `.config/opencode/${name}`,
  ),
  ...['.bashrc', '.bash_profile', '.bash_login', '.bash_logout', '.bash_aliases', '.profile'],
  ...['.zshrc', '.zshenv', '.zprofile', '.zlogin', '.zlogout', '.config/fish'],
  ...['.gitconfig', '.config/git'],
];

/** A person's git configuration files. */
const GIT_CONFIGS = ['.gitconfig', '.config/git/config'];

/** The agent's own program rewrites it all the time. */
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
  /** Entries that are data, not settings. */
  data: BytePath[];
}

/**
 * The folders with the person's own Claude Code settings. They are read-only as a whole: otherwise a new settings file could
 * be created, whose hooks would run outside the sandbox.
 */
export function claudeFolders(
  reads: StampedReads,
  home: BytePath,
  folders: readonly ConfigLocation[],
): ClaudeFolder[] {
  const paths = [
    `${home}/.claude`,
    ...folders
      .filter(({ roots }) => roots.includes('settings.local.json'))
      .map(({ folder }) => toBytePath(folder)),
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
