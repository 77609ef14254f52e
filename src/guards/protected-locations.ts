import {
  AGENT_FOLDERS,
  AGENT_SUBFOLDERS,
  type Protection,
  SERVER_LISTS,
  SHELL_STARTUP_PATHS,
} from '../domain/protection/protected-paths.ts';

/** In a checkout and in the home folder alike. */
const CLAUDE_SETTINGS: readonly (readonly [string, Protection])[] = [
  ['.claude/settings.json', 'agent-settings'],
  ['.claude/settings.local.json', 'agent-settings'],
  ['.claude/hooks', 'agent-settings'],
  ['.claude/agents', 'agent-settings'],
  ['.claude/commands', 'agent-settings'],
  ['.claude/skills', 'agent-settings'],
  ['.claude/plugins', 'agent-settings'],
];

/** Protected paths in every checkout; a folder includes everything in it. */
export const IN_CHECKOUT: readonly (readonly [string, Protection])[] = [
  ['.claude/progress/feature-list.json', 'feature-list'],
  ['.claude/progress/session-state.json', 'session-state'],
  ['.guardkit', 'definition'],
  ['tasks', 'definition'],
  ...CLAUDE_SETTINGS,
  ...[...AGENT_FOLDERS, ...AGENT_SUBFOLDERS, ...SERVER_LISTS].map(
    (path) => [path, 'agent-settings'] as const,
  ),
  ['.mcp.json', 'agent-settings'],
  ['.husky', 'git-internals'],
  ['.git', 'git-internals'],
];

export const IN_GIT_FOLDER = ['hooks', 'config', 'config.worktree', 'info/attributes', 'refs/guardkit'];

export const IN_HOME: readonly (readonly [string, Protection])[] = [
  ...CLAUDE_SETTINGS,
  ['.claude.json', 'agent-settings'],
  ['.codex/config.toml', 'agent-settings'],
  ['.codex/hooks.json', 'agent-settings'],
  ['.gemini/settings.json', 'agent-settings'],
  ['.qwen/settings.json', 'agent-settings'],
  ['.copilot/settings.json', 'agent-settings'],
  ['.copilot/config.json', 'agent-settings'],
  ['.gitconfig', 'git-internals'],
  ['.config/git/config', 'git-internals'],
  ...SHELL_STARTUP_PATHS.map((path) => [path, 'shell-startup'] as const),
];
