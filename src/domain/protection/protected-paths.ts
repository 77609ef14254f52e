import { fitsGlob, globMatcher } from './fits-glob.ts';

/** Why a path is protected. */
export type Protection =
  /** The feature list: judged field by field, not as a whole. */
  | 'feature-list'
  /** The session state, written only by GuardKit. */
  | 'session-state'
  /** `.guardkit/` except its logs, task files, and the paths in the configuration. */
  | 'definition'
  /** Settings and hooks of coding agents. */
  | 'agent-settings'
  /** GuardKit's own data: ledger, store, launcher, quarantine. */
  | 'data'
  /** Git hooks and configuration, and files that only git writes: refs and objects. */
  | 'git-internals'
  /** Runs in every new shell of the person. */
  | 'shell-startup';

export const FEATURE_LIST_PATH = '.claude/progress/feature-list.json';
export const SESSION_STATE_PATH = '.claude/progress/session-state.json';
/** Folders of single agents other than Claude Code; the patterns below name them too. */
export const AGENT_FOLDERS = ['.codex', '.gemini', '.cursor', '.opencode', '.qwen'] as const;
/** Folders of agents inside folders that also have other files: those of Copilot CLI, and skills for several agents. */
export const AGENT_SUBFOLDERS = [
  '.github/hooks',
  '.github/copilot',
  '.github/skills',
  '.github/agents',
  '.github/extensions',
  '.agents/skills',
] as const;
/** Lists of servers that Copilot CLI starts. */
export const SERVER_LISTS = ['.github/mcp.json', '.github/lsp.json'] as const;

/**
 * Paths that agents may never change: the project's rules and definitions, and the settings and hooks of agents. Relative
 * to the project, with `/`.
 */
const ALWAYS: readonly (readonly [RegExp, Protection])[] = [
  [/^\.claude\/progress\/feature-list\.json$/, 'feature-list'],
  [/^\.claude\/progress\/session-state\.json$/, 'session-state'],
  [/^\.guardkit(?:$|\/(?!logs(?:\/|$)))/, 'definition'],
  [/^tasks\/(?:[^/]+\/)*TASK-[^/]+\.md$/, 'definition'],
  // Subfolders too: an agent started there uses them.
  [
    /^(?:[^/]+\/)*\.claude\/(?:settings[^/]*\.json|(?:hooks|agents|commands|skills|plugins)(?:\/.*)?)$/s,
    'agent-settings',
  ],
  [/^(?:[^/]+\/)*\.(?:codex|gemini|cursor|opencode|qwen)(?:\/.*)?$/s, 'agent-settings'],
  // Hooks, settings, skills, agents, extensions and servers of Copilot CLI.
  [
    /^(?:[^/]+\/)*\.github\/(?:(?:hooks|copilot|skills|agents|extensions)(?:\/.*)?|(?:mcp|lsp)\.json)$/s,
    'agent-settings',
  ],
  [/^(?:[^/]+\/)*\.agents\/skills(?:\/.*)?$/s, 'agent-settings'],
  [/^(?:[^/]+\/)*\.husky(?:\/.*)?$/s, 'git-internals'],
  [/^\.mcp\.json$/, 'agent-settings'],
  [/^(?:[^/]+\/)*opencode\.jsonc?$/, 'agent-settings'],
];

/**
 * Git's settings, hooks, refs and objects, relative to its folder or to that of a working tree or submodule in it.
 */
const GIT_ORDERS =
  /^(?:(?:worktrees|modules)\/(?:[^/]+\/)*)?(?:hooks(?:\/.*)?|config|config\.worktree|commondir|gitdir|info\/attributes|HEAD|packed-refs|(?:logs\/)?refs(?:\/.*)?|reftable(?:\/.*)?|objects(?:\/.*)?|shallow|info\/grafts)$/s;

/** Settings of agents and git in a person's home folder. */
const HOME_ORDERS: readonly (readonly [RegExp, Protection])[] = [
  [
    /^\.claude\/(?:settings[^/]*\.json|(?:hooks|agents|commands|skills|plugins)(?:\/.*)?)$/s,
    'agent-settings',
  ],
  [/^\.claude\.json$/, 'agent-settings'],
  [
    /^\.(?:codex|copilot|gemini|cursor|opencode|qwen)\/(?:[^/]+\.(?:json|toml|ya?ml)|(?:hooks|agents|commands|skills|(?:installed-)?plugins|extensions|prompts|rules|policies)(?:\/.*)?)$/s,
    'agent-settings',
  ],
  // Extensions of one session.
  [/^\.copilot\/session-state\/[^/]+\/extensions(?:\/.*)?$/s, 'agent-settings'],
  [/^\.agents\/skills(?:\/.*)?$/s, 'agent-settings'],
  [/^\.config\/opencode\/(?:[^/]+|(?!node_modules\/)[^/]+\/.*)$/s, 'agent-settings'],
  [/^\.(?:gitconfig|config\/git\/(?:config|attributes))$/, 'git-internals'],
  [
    /^\.(?:bashrc|bash_profile|bash_login|bash_logout|profile|zshrc|zshenv|zprofile|zlogin|zlogout|config\/fish(?:\/.*)?)$/s,
    'shell-startup',
  ],
];

/** The same, as paths in the home folder. */
export const SHELL_STARTUP_PATHS: readonly string[] = [
  ...['bashrc', 'bash_profile', 'bash_login', 'bash_logout', 'profile'],
  ...['zshrc', 'zshenv', 'zprofile', 'zlogin', 'zlogout', 'config/fish'],
].map((name) => `.${name}`);

/** Files in the home folder that programs load or run later, with the reason. People and package managers change them too. */
const LATER_USES: readonly (readonly [RegExp, string])[] = [
  [
    /^\.(?:npmrc|yarnrc(?:\.yml)?|config\/pip(?:\/.*)?|pip(?:\/.*)?|cargo\/config(?:\.toml)?)$/s,
    'package managers read it on every run',
  ],
  [/^(?:\.local\/bin|bin|\.cargo\/bin)\/[^/]+$/, 'it is a program on the PATH'],
  [/^\.local\/lib\/python[^/]*\/site-packages\/.+$/s, 'Python programs of this user load it'],
];

/** Describes how programs later use a file in the home folder; undefined for other files. */
export function laterUseOf(path: string): string | undefined {
  if (!path.startsWith('.') && !path.startsWith('bin/')) return undefined;
  return LATER_USES.find(([pattern]) => pattern.test(path))?.[1];
}

/** A quick check that excludes most paths before the patterns of `ALWAYS` run. */
function mayBeOneOfAlways(path: string): boolean {
  const folded = path.toLowerCase();
  return (
    folded.startsWith('.') ||
    folded.startsWith('tasks/') ||
    folded.includes('/.') ||
    folded.endsWith('opencode.json') ||
    folded.endsWith('opencode.jsonc')
  );
}

/** For case-insensitive file systems, where `.Claude` is `.claude`. */
const ANY_CASE = new Map<RegExp, RegExp>();

function fits(pattern: RegExp, path: string, anyCase: boolean): boolean {
  if (!anyCase) return pattern.test(path);
  const folded = ANY_CASE.get(pattern) ?? new RegExp(pattern.source, `${pattern.flags}i`);
  ANY_CASE.set(pattern, folded);
  return folded.test(path);
}

export interface ProtectionRules {
  /** `protected:` of the configuration. */
  globs?: readonly string[];
  anyCase?: boolean;
}

/** Why a path of the project is protected. */
export function protectionOf(
  path: string,
  { globs = [], anyCase = false }: ProtectionRules = {},
): Protection | undefined {
  const always = mayBeOneOfAlways(path)
    ? ALWAYS.find(([pattern]) => fits(pattern, path, anyCase))?.[1]
    : undefined;
  if (always !== undefined) return always;
  const named = anyCase
    ? globs.some((glob) => fitsPathGlob(path.toLowerCase(), glob.toLowerCase()))
    : globs.some((glob) => fitsPathGlob(path, glob));
  return named ? 'definition' : undefined;
}

/** Same for a path in git's folder. */
export function gitProtectionOf(path: string, anyCase = false): Protection | undefined {
  // A killed git leaves lock files behind, which must be removable.
  return !path.endsWith('.lock') && fits(GIT_ORDERS, path, anyCase) ? 'git-internals' : undefined;
}

/** Same for a path in a person's home folder. */
export function homeProtectionOf(path: string, anyCase = false): Protection | undefined {
  // All patterns start with a dot.
  if (!path.startsWith('.')) return undefined;
  return HOME_ORDERS.find(([pattern]) => fits(pattern, path, anyCase))?.[1];
}

/** A glob of a folder includes everything in it. */
export function fitsPathGlob(path: string, glob: string): boolean {
  const plain = glob.replace(/^\.\//, '');
  return plain.endsWith('/')
    ? fitsGlob(path, `${plain}**`)
    : fitsGlob(path, plain) || fitsGlob(path, `${plain}/**`);
}

/** Same, for many paths. */
export function pathGlobMatcher(glob: string): (path: string) => boolean {
  const plain = glob.replace(/^\.\//, '');
  if (plain.endsWith('/')) return globMatcher(`${plain}**`);
  const itself = globMatcher(plain);
  const within = globMatcher(`${plain}/**`);
  return (path) => itself(path) || within(path);
}

export function isProtectedPath(path: string): boolean {
  return protectionOf(path) !== undefined || isProjection(path);
}

/** Folders for files that GuardKit writes for others. */
export function isProjection(path: string): boolean {
  return path.startsWith('.claude/progress/');
}
