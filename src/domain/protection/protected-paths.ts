import { fitsGlob, globMatcher } from './fits-glob.ts';

/** Why a path is protected. */
export type Protection =
  /** The list of features: judged by its fields rather than as a whole. */
  | 'feature-list'
  /** The state of the session, GuardKit's alone. */
  | 'session-state'
  /** `.guardkit/` but its logs, the files of tasks, and what the configuration names. */
  | 'definition'
  /** Settings and hooks of coding agents. */
  | 'agent-settings'
  /** GuardKit's own data: ledger, store, launcher, quarantine. */
  | 'data'
  /** What git runs by itself, hooks and configuration, and what only git writes: its names and objects. */
  | 'git-internals'
  /** Runs in every shell that the person opens. */
  | 'shell-startup';

export const FEATURE_LIST_PATH = '.claude/progress/feature-list.json';
export const SESSION_STATE_PATH = '.claude/progress/session-state.json';

/**
 * What an agent may not change, whatever it is told to do: the project's rules and definitions, and the settings and
 * hooks of agents themselves. Paths are relative to the project, with `/`.
 */
const ALWAYS: readonly (readonly [RegExp, Protection])[] = [
  [/^\.claude\/progress\/feature-list\.json$/, 'feature-list'],
  [/^\.claude\/progress\/session-state\.json$/, 'session-state'],
  [/^\.guardkit(?:$|\/(?!logs(?:\/|$)))/, 'definition'],
  [/^tasks\/(?:[^/]+\/)*TASK-[^/]+\.md$/, 'definition'],
  // Of a subfolder too: an agent that is started there takes them for its own.
  [
    /^(?:[^/]+\/)*\.claude\/(?:settings[^/]*\.json|(?:hooks|agents|commands|skills|plugins)(?:\/.*)?)$/s,
    'agent-settings',
  ],
  [/^(?:[^/]+\/)*\.(?:codex|gemini|cursor|opencode|qwen)(?:\/.*)?$/s, 'agent-settings'],
  [/^(?:[^/]+\/)*\.husky(?:\/.*)?$/s, 'git-internals'],
  [/^\.mcp\.json$/, 'agent-settings'],
];

/**
 * What git takes as its orders, and its names and objects, relative to its own folder or to that of a working tree or
 * submodule in it.
 */
const GIT_ORDERS =
  /^(?:(?:worktrees|modules)\/(?:[^/]+\/)*)?(?:hooks(?:\/.*)?|config|config\.worktree|commondir|gitdir|info\/attributes|HEAD|packed-refs|(?:logs\/)?refs(?:\/.*)?|reftable(?:\/.*)?|objects(?:\/.*)?|shallow|info\/grafts)$/s;

/** Of a person's home folder: what agents and git take as their orders. */
const HOME_ORDERS: readonly (readonly [RegExp, Protection])[] = [
  [
    /^\.claude\/(?:settings[^/]*\.json|(?:hooks|agents|commands|skills|plugins)(?:\/.*)?)$/s,
    'agent-settings',
  ],
  [/^\.claude\.json$/, 'agent-settings'],
  [
    /^\.(?:codex|gemini|cursor|opencode|qwen)\/(?:[^/]+\.(?:json|toml|ya?ml)|hooks(?:\/.*)?)$/s,
    'agent-settings',
  ],
  [/^\.config\/opencode\/[^/]+$/, 'agent-settings'],
  [/^\.(?:gitconfig|config\/git\/(?:config|attributes))$/, 'git-internals'],
  [
    /^\.(?:bashrc|bash_profile|bash_login|bash_logout|profile|zshrc|zshenv|zprofile|zlogin|zlogout|config\/fish(?:\/.*)?)$/s,
    'shell-startup',
  ],
];

/** The same as paths in the home folder. */
export const SHELL_STARTUP_PATHS: readonly string[] = [
  ...['bashrc', 'bash_profile', 'bash_login', 'bash_logout', 'profile'],
  ...['zshrc', 'zshenv', 'zprofile', 'zlogin', 'zlogout', 'config/fish'],
].map((name) => `.${name}`);

/** Files in the home folder that programs load or run later, with how. People and package managers change them too. */
const LATER_USES: readonly (readonly [RegExp, string])[] = [
  [
    /^\.(?:npmrc|yarnrc(?:\.yml)?|config\/pip(?:\/.*)?|pip(?:\/.*)?|cargo\/config(?:\.toml)?)$/s,
    'package managers read it on every run',
  ],
  [/^(?:\.local\/bin|bin|\.cargo\/bin)\/[^/]+$/, 'it is a program on the PATH'],
  [/^\.local\/lib\/python[^/]*\/site-packages\/.+$/s, 'Python programs of this user load it'],
];

/** How programs use a file in a person's home folder later, in words; undefined for files that none of them use. */
export function laterUseOf(path: string): string | undefined {
  if (!path.startsWith('.') && !path.startsWith('bin/')) return undefined;
  return LATER_USES.find(([pattern]) => pattern.test(path))?.[1];
}

/** What all of `ALWAYS` begin with, or have in them. Most paths do not, which is sooner seen than that no pattern fits. */
function mayBeOneOfAlways(path: string): boolean {
  const folded = path.toLowerCase();
  return folded.startsWith('.') || folded.startsWith('tasks/') || folded.includes('/.');
}

/** Where the file system makes no difference between `.claude` and `.Claude`, and folds the names of files. */
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

/** The same of a path in git's own folder. */
export function gitProtectionOf(path: string, anyCase = false): Protection | undefined {
  // What a git that was killed left behind is nobody's order, and has to be removed.
  return !path.endsWith('.lock') && fits(GIT_ORDERS, path, anyCase) ? 'git-internals' : undefined;
}

/** The same of a path in a person's home folder. */
export function homeProtectionOf(path: string, anyCase = false): Protection | undefined {
  // All of them begin with a dot.
  if (!path.startsWith('.')) return undefined;
  return HOME_ORDERS.find(([pattern]) => fits(pattern, path, anyCase))?.[1];
}

/** A glob of a folder means all that is in it. */
export function fitsPathGlob(path: string, glob: string): boolean {
  const plain = glob.replace(/^\.\//, '');
  return plain.endsWith('/')
    ? fitsGlob(path, `${plain}**`)
    : fitsGlob(path, plain) || fitsGlob(path, `${plain}/**`);
}

/** The same for many paths. */
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

/** GuardKit writes there what others are to read. */
export function isProjection(path: string): boolean {
  return path.startsWith('.claude/progress/');
}
