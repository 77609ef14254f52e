import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { ConfigLocation } from '../../domain/protection/config-locations.ts';
import { isDefinitionPath } from '../../domain/protection/project-paths.ts';
import {
  AGENT_FOLDERS,
  AGENT_SUBFOLDERS,
  FEATURE_LIST_PATH,
  homeProtectionOf,
  protectionOf,
  SERVER_LISTS,
  SESSION_STATE_PATH,
} from '../../domain/protection/protected-paths.ts';
import { isInside } from '../../platform/files/path-inside.ts';
import { otherCheckouts } from '../../platform/git/git-folder.ts';
import { resolvePath } from '../../platform/sandbox/resolve-path.ts';
import type { AreaKey } from '../../store/ledger/tables/watch-tables.ts';
import { effectiveLocations } from '../shell/read-git-settings.ts';
import { FILLED, settingsBelow } from './settings-below.ts';
import { realFolder, repositoryFolder, type WatchContext } from './watch-context.ts';

/** Files in one place that agents may not change. Paths are relative to its folder, with `/`. */
export interface WatchArea {
  kind: 'checkout' | 'worktree' | 'repository' | 'launcher' | 'home';
  key: AreaKey;
  folder: string;
  /** For another checkout: git's common folder. */
  repository?: string;
  /** Checked each time, even if nothing was there before. */
  roots: readonly string[];
  /** Whether a file below it may be watched. */
  wantsFolder(path: string): boolean;
  wants(path: string): boolean;
  /** Whether a path is a definition (default: none). */
  isDefinition?: (path: string) => boolean;
  /** The equivalent path in the home folder, if a variable moves the configuration elsewhere. */
  asAtHome?: (path: string) => string;
  /** The path as shown to people. */
  shown(path: string): string;
}

/** All areas watched for a checkout. `globs` come from the definition in force: an agent could change the file. */
export function watchAreas(context: WatchContext, globs: readonly string[]): WatchArea[] {
  return [
    checkoutArea(context, globs, settingsBelow(context.checkout)),
    repositoryArea(repositoryFolder(context)),
    launcherArea(context),
    homeArea(context),
    ...(context.configLocations ?? []).map(configLocationArea),
    ...worktreeAreas(context),
  ];
}

const CHECKOUT_ROOTS = [
  // In a linked worktree it is a file with the path of git's folder.
  '.git',
  '.guardkit',
  'tasks',
  '.claude',
  SESSION_STATE_PATH,
  '.husky',
  '.mcp.json',
  'opencode.json',
  'opencode.jsonc',
  ...AGENT_FOLDERS,
  ...AGENT_SUBFOLDERS,
  ...SERVER_LISTS,
];
const CHECKOUT_FOLDERS =
  /^(?:\.guardkit|\.husky|tasks|\.claude|\.claude\/(?:hooks|agents|commands|skills|plugins)|\.(?:codex|gemini|cursor|opencode|qwen)|\.github\/(?:hooks|copilot|skills|agents|extensions)|\.agents\/skills)(?:\/|$)/;
const CLAUDE_OTHERS = /^\.claude\/(?!(?:hooks|agents|commands|skills|plugins)(?:\/|$))/;
/** OpenCode writes these at every start; plugins may import from the folder. */
const OPENCODE_OWN =
  /^\.opencode\/(?:node_modules(?:\/|$)|package(?:-lock)?\.json$|bun\.lockb?$|\.gitignore$)/;
const LOGS = /^\.guardkit\/logs(?:\/|$)/;

function checkoutArea(context: WatchContext, globs: readonly string[], more: readonly string[]): WatchArea {
  const { project, checkout } = context;
  const prefixes = globs.map(literalPrefix);
  const hooks = hookFolders(context);
  const isHook = (path: string) => hooks.some((folder) => liesIn(path, folder));
  return {
    kind: 'checkout',
    key: { project, checkout },
    folder: checkout,
    roots: [...new Set([...CHECKOUT_ROOTS, ...hooks, ...prefixes, ...more])],
    wantsFolder: (path) =>
      !LOGS.test(path) &&
      !OPENCODE_OWN.test(path) &&
      (isHook(path) ||
        (CHECKOUT_FOLDERS.test(path) && !CLAUDE_OTHERS.test(path)) ||
        (prefixes.some((prefix) => liesIn(path, prefix)) && !FILLED.test(path))),
    wants: (path) =>
      path === '.git' ||
      (path !== FEATURE_LIST_PATH &&
        !LOGS.test(path) &&
        !OPENCODE_OWN.test(path) &&
        (isHook(path) || protectionOf(path, { globs }) !== undefined)),
    isDefinition: isDefinitionPath,
    shown: (path) => path,
  };
}

/** The folders in a checkout whose hooks git runs instead of its own, relative. */
function hookFolders(context: WatchContext): string[] {
  const { checkout } = context;
  return effectiveLocations(context)
    .hooksPaths.filter((folder) => folder !== checkout && isInside(folder, checkout))
    .map((folder) => relative(checkout, folder))
    .filter((folder) => !liesIn(folder, '.git'));
}

/** Each is checked after every command. */
const MAX_WORKTREES = 20;

/** The person's other checkouts of the repository, which a command here can reach too; without those of builds. */
export function personsCheckouts({ git, checkout, dataFolder }: WatchContext): string[] {
  const folders = otherCheckouts(git)
    .slice(0, MAX_WORKTREES)
    .map(realFolder)
    .filter(
      (folder) => folder !== checkout && !isInside(folder, dataFolder) && existsSync(join(folder, '.git')),
    );
  return [...new Set(folders)];
}

function worktreeAreas(context: WatchContext): WatchArea[] {
  return personsCheckouts(context).map((folder) => ({
    ...checkoutArea({ ...context, checkout: folder }, [], []),
    kind: 'worktree',
    repository: repositoryFolder(context),
    shown: (path) => join(folder, path),
  }));
}

/** The folders of a glob before its first wildcard; `.` for none. */
function literalPrefix(glob: string): string {
  const names = glob.replace(/^\.\//, '').split('/');
  const pattern = names.findIndex((name) => /[*?]/.test(name));
  const plain = (pattern < 0 ? names : names.slice(0, pattern)).filter((name) => name !== '' && name !== '.');
  return plain.includes('..') ? '.' : plain.join('/') || '.';
}

function liesIn(path: string, folder: string): boolean {
  return folder === '.' || path === folder || path.startsWith(`${folder}/`);
}

const GIT_ROOTS = [
  'config',
  'config.worktree',
  'hooks',
  'info/attributes',
  'objects/info/alternates',
  'worktrees',
  'modules',
];
const GIT_FOLDERS = ['hooks', 'worktrees', 'modules'];
/** Git's folders with thousands of objects and refs, and nothing that git runs. */
const GIT_STORES = /(?:^|\/)(?:objects|refs|logs|lfs|info|branches|rr-cache)(?:\/|$)/;

/** Files in git's common folder that make git run something. */
export function repositoryArea(folder: string): WatchArea {
  return {
    kind: 'repository',
    key: { project: '', checkout: folder },
    folder,
    roots: GIT_ROOTS,
    wantsFolder: (path) => GIT_FOLDERS.some((one) => liesIn(path, one)) && !GIT_STORES.test(path),
    wants: isEffectiveGitFile,
    shown: (path) => (path.startsWith('/') ? path : `.git/${path}`),
  };
}

function isEffectiveGitFile(path: string): boolean {
  if (path === 'info/attributes' || path === 'objects/info/alternates') return true;
  // Git does not run its sample hooks.
  if (/(?:^|\/)hooks\//.test(path)) return !path.endsWith('.sample');
  return /^(?:(?:modules\/.+\/)?config|(?:worktrees\/[^/]+\/)?config\.worktree)$/s.test(path);
}

function launcherArea({ dataFolder }: WatchContext): WatchArea {
  return {
    kind: 'launcher',
    key: { project: '', checkout: dataFolder },
    folder: dataFolder,
    roots: ['bin'],
    wantsFolder: (path) => liesIn(path, 'bin'),
    wants: (path) => liesIn(path, 'bin'),
    shown: (path) => join(dataFolder, path),
  };
}

const HOME_ROOTS = [
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.claude/hooks',
  '.claude/agents',
  '.claude/commands',
  '.claude/skills',
  '.claude/plugins',
  '.claude.json',
  '.codex',
  '.gemini',
  '.cursor',
  '.opencode',
  '.qwen/settings.json',
  '.copilot/settings.json',
  '.copilot/hooks',
  '.copilot/mcp-config.json',
  '.gitconfig',
  '.config/git/config',
  '.config/git/attributes',
];
const HOME_FOLDERS =
  /^(?:\.claude\/(?:hooks|agents|commands|skills|plugins)|\.copilot\/hooks|\.(?:codex|gemini|cursor|opencode)(?=$|\/hooks(?:$|\/)))(?:\/|$)/;
/** Files of plugins that are run or read as instructions. Sources are not: the agent's program copies them before use. */
const PLUGIN_SOURCES = /^\.claude\/plugins\/(?:marketplaces|repos)(?:\/|$)/;
const EFFECTIVE_PLUGIN_FILES =
  /^\.claude\/plugins\/(?:[^/]+\.json$|(?:.*\/)?(?:hooks|\.claude-plugin)\/|(?:.*\/)?\.mcp\.json$)/s;

function homeArea({ home: given }: WatchContext): WatchArea {
  const home = realFolder(given);
  return {
    kind: 'home',
    // The home folder may also be a checkout or the data folder, so the key needs a prefix.
    key: { project: '', checkout: `home ${home}` },
    folder: home,
    roots: HOME_ROOTS,
    wantsFolder: isHomeFolder,
    wants: isEffectiveHomeFile,
    shown: (path) => join(home, path),
  };
}

function isHomeFolder(path: string): boolean {
  return HOME_FOLDERS.test(path) && !FILLED.test(path) && !PLUGIN_SOURCES.test(path);
}

function isEffectiveHomeFile(path: string): boolean {
  return (
    homeProtectionOf(path) !== undefined &&
    !FILLED.test(path) &&
    (!liesIn(path, '.claude/plugins') || (EFFECTIVE_PLUGIN_FILES.test(path) && !PLUGIN_SOURCES.test(path)))
  );
}

function configLocationArea({ folder: given, roots, asAtHome }: ConfigLocation): WatchArea {
  const folder = realFolder(given);
  return {
    kind: 'home',
    key: { project: '', checkout: `orders ${folder} ${roots[0]}` },
    folder,
    roots,
    wantsFolder: (path) => isHomeFolder(asAtHome(path)),
    wants: (path) => isEffectiveHomeFile(asAtHome(path)),
    asAtHome,
    shown: (path) => join(folder, path),
  };
}

/** Whether an agent that can write only its checkout and `writable` cannot reach any other watched file. */
export function keptInCheckout(context: WatchContext, writable: readonly string[]): boolean {
  const watched = watchAreas(context, [])
    .filter(({ kind }) => kind !== 'checkout')
    .flatMap(({ folder, roots }) => roots.map((root) => resolvePath(join(folder, root)).path));
  return writable
    .map((path) => resolvePath(path).path)
    .every((path) => !watched.some((root) => isInside(root, path) || isInside(path, root)));
}
