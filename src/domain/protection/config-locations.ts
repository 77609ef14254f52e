import { basename, dirname, isAbsolute, join } from 'node:path';

/** A folder that agents or git read a person's settings from instead of the home folder, because a variable names it. */
export interface ConfigLocation {
  folder: string;
  /** The settings read from it, relative to it. */
  roots: readonly string[];
  /** The equivalent path in the home folder. */
  asAtHome(path: string): string;
}

const CLAUDE_ROOTS = [
  'settings.json',
  'settings.local.json',
  'hooks',
  'agents',
  'commands',
  'skills',
  'plugins',
  '.claude.json',
];
const CODEX_ROOTS = ['config.toml', 'hooks.json', 'hooks'];
const COPILOT_ROOTS = [
  'settings.json',
  'config.json',
  'mcp-config.json',
  'hooks',
  'agents',
  'skills',
  'extensions',
];
const QWEN_ROOTS = ['settings.json', 'commands', 'extensions', 'skills', 'agents'];
const GEMINI_ROOTS = ['.gemini/settings.json', '.gemini/commands', '.gemini/extensions'];
const OPENCODE_NAMES = ['opencode.json', 'opencode.jsonc', 'plugin', 'plugins', 'agent', 'command'];
const CONFIG_ROOTS = ['git/config', 'git/attributes', ...OPENCODE_NAMES.map((name) => `opencode/${name}`)];

/** Settings locations outside the home folder. No program reads a relative path. */
export function configLocations(env: NodeJS.ProcessEnv, home: string): ConfigLocation[] {
  const {
    CLAUDE_CONFIG_DIR: claude,
    CODEX_HOME: codex,
    COPILOT_HOME: copilot,
    QWEN_HOME: qwen,
    GEMINI_CLI_HOME: gemini,
    XDG_CONFIG_HOME: config,
    GIT_CONFIG_GLOBAL: git,
  } = env;
  const found: ConfigLocation[] = [];
  if (isElsewhere(claude, join(home, '.claude')))
    found.push({
      folder: claude,
      roots: CLAUDE_ROOTS,
      asAtHome: (path) => (path === '.claude.json' ? path : `.claude/${path}`),
    });
  if (isElsewhere(codex, join(home, '.codex')))
    found.push({ folder: codex, roots: CODEX_ROOTS, asAtHome: (path) => `.codex/${path}` });
  if (isElsewhere(copilot, join(home, '.copilot')))
    found.push({ folder: copilot, roots: COPILOT_ROOTS, asAtHome: (path) => `.copilot/${path}` });
  if (isElsewhere(qwen, join(home, '.qwen')))
    found.push({ folder: qwen, roots: QWEN_ROOTS, asAtHome: (path) => `.qwen/${path}` });
  if (isElsewhere(gemini, home))
    found.push({ folder: gemini, roots: GEMINI_ROOTS, asAtHome: (path) => path });
  if (isElsewhere(config, join(home, '.config')))
    found.push({ folder: config, roots: CONFIG_ROOTS, asAtHome: (path) => `.config/${path}` });
  if (isElsewhere(git, join(home, '.gitconfig')) && git !== '/dev/null') {
    const name = basename(git);
    found.push({
      folder: dirname(git),
      roots: [name],
      asAtHome: (path) => (path === name ? '.gitconfig' : ''),
    });
  }
  return found;
}

function isElsewhere(path: string | undefined, usual: string): path is string {
  return path !== undefined && isAbsolute(path) && join(path) !== usual && join(path, '.') !== usual;
}
