import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ConfigLocation } from '../domain/protection/config-locations.ts';
import { homeProtectionOf, type Protection, protectionOf } from '../domain/protection/protected-paths.ts';
import { isInside, pathBelow } from '../platform/files/path-inside.ts';
import { findGitFolder } from '../platform/git/git-folder.ts';
import {
  type Looks,
  type ReadLink,
  type ResolvedPath,
  resolvePath,
} from '../platform/sandbox/resolve-path.ts';
import { IN_CHECKOUT, IN_GIT_FOLDER, IN_HOME } from './protected-locations.ts';

/** The folders that paths are judged against, all as real paths. */
export interface PathContext {
  /** Folder that relative paths start from. */
  cwd: string;
  /** The agent's checkout. */
  root: string;
  /** This checkout and the project's other worktrees. */
  checkouts: readonly string[];
  /** The person's home folder. */
  home: string;
  /** Locations of the person's agent and git settings outside the default places. */
  configLocations: readonly ConfigLocation[];
  dataFolder: string;
  /** Git's folders: that of this worktree, and the one all worktrees share. */
  gitFolders: readonly string[];
  /** `protected:` of the configuration. */
  globs: readonly string[];
  /** Folders in `core.hooksPath`; git runs the files in them. */
  hooksPaths: readonly string[];
  /** Files that the person's git configuration includes. */
  gitIncludes: readonly string[];
}

export interface PathContextInput {
  cwd: string;
  root: string;
  home: string;
  dataFolder: string;
  globs?: readonly string[];
  /** Other worktrees of the project. */
  checkouts?: readonly string[];
  configLocations?: readonly ConfigLocation[];
  /** Absolute. */
  hooksPaths?: readonly string[];
  gitIncludes?: readonly string[];
}

export function pathContext({
  cwd,
  root,
  home,
  dataFolder,
  globs = [],
  checkouts = [],
  configLocations = [],
  hooksPaths = [],
  gitIncludes = [],
}: PathContextInput): PathContext {
  const looks: Looks = new Map();
  const real = (path: string) => resolvePath(path, undefined, looks).path;
  const realRoot = real(root);
  const git = findGitFolder(realRoot);
  const context = {
    cwd: real(cwd),
    root: realRoot,
    checkouts: [...new Set([realRoot, ...checkouts.map(real)])],
    home: real(home),
    configLocations: configLocations.map((one) => ({ ...one, folder: real(one.folder) })),
    dataFolder: real(dataFolder),
    gitFolders: git ? [...new Set([real(git.gitDir), real(git.commonDir)])] : [],
    globs,
    // Not a folder above the project: that would make every project file a hook.
    hooksPaths: hooksPaths.map(real).filter((folder) => !isInside(realRoot, folder)),
    gitIncludes: gitIncludes.map(real),
  };
  looksFrom.set(context, looks);
  return context;
}

/** Cached per context: the paths of one action are mostly in the same few folders. */
const looksFrom = new WeakMap<PathContext, Looks>();

/** Resolves the links of a path, as this context resolves them. */
export function resolveFrom(context: PathContext, path: string, readLink?: ReadLink): ResolvedPath {
  return resolvePath(path, readLink, looksFrom.get(context));
}

export interface ProtectedSpot {
  path: string;
  protection: Protection;
  /** Whether all of it is protected, or only some files in it. */
  whole: boolean;
}

/** All protected locations, whether they exist or not. */
export function protectedSpots(context: PathContext): readonly ProtectedSpot[] {
  return remembered(spots, context, () => [
    ...context.checkouts.flatMap((root) => [
      ...IN_CHECKOUT.map(([path, protection]) => ({ path: pathBelow(root, path), protection, whole: true })),
      ...context.globs.map((glob) => ({
        path: join(root, fixedPart(glob)),
        protection: 'definition' as const,
        whole: false,
      })),
    ]),
    ...context.gitFolders.flatMap((folder) =>
      IN_GIT_FOLDER.map((path) => ({
        path: pathBelow(folder, path),
        protection: 'git-internals' as const,
        whole: true,
      })),
    ),
    { path: context.dataFolder, protection: 'data', whole: true },
    ...IN_HOME.map(([path, protection]) => ({
      path: pathBelow(context.home, path),
      protection,
      whole: true,
    })),
    ...[...context.hooksPaths, ...context.gitIncludes].map((path) => ({
      path,
      protection: 'git-internals' as const,
      whole: true,
    })),
    ...context.configLocations.flatMap(({ folder, roots, asAtHome }) =>
      roots.flatMap((root) => {
        const protection = homeProtectionOf(asAtHome(root));
        return protection ? [{ path: pathBelow(folder, root), protection, whole: true }] : [];
      }),
    ),
  ]);
}

const spots = new WeakMap<PathContext, readonly ProtectedSpot[]>();
const folds = new WeakMap<PathContext, boolean>();
const files = new WeakMap<PathContext, readonly ProtectedFile[]>();
const inodes = new WeakMap<PathContext, ReadonlyMap<string, Protection>>();

/** Found once per context, on first use: a context serves every path of an action. */
function remembered<Value>(
  cache: WeakMap<PathContext, Value>,
  context: PathContext,
  find: () => Value,
): Value {
  const known = cache.get(context);
  if (known !== undefined) return known;
  const found = find();
  cache.set(context, found);
  return found;
}

/** The folder of a glob before its first wildcard. */
function fixedPart(glob: string): string {
  const fixed = /^[^*?[]*/.exec(glob)?.[0] ?? '';
  return fixed === glob ? glob : dirname(`${fixed}x`);
}

/** Whether the project's file system ignores case. */
export function foldsCase(context: PathContext): boolean {
  return remembered(folds, context, () => {
    const [one, other] = ['.git', '.GIT'].map((name) => look(join(context.root, name)));
    return one !== undefined && other !== undefined && inodeOf(one) === inodeOf(other);
  });
}

const MAX_LINKED = 4_000;

/** The existing protected files by inode, to recognise hard links. */
export function protectedInodes(context: PathContext): ReadonlyMap<string, Protection> {
  return remembered(
    inodes,
    context,
    () => new Map(protectedFiles(context).map(({ inode, protection }) => [inode, protection])),
  );
}

export interface ProtectedFile {
  path: string;
  protection: Protection;
  inode: string;
}

/** The existing protected files, up to a limit that no project reaches. */
export function protectedFiles(context: PathContext): readonly ProtectedFile[] {
  return remembered(files, context, () => {
    const found: ProtectedFile[] = [];
    const open = [...protectedSpots(context)].reverse();
    for (let next = open.pop(); next && found.length < MAX_LINKED; next = open.pop()) {
      const { path, protection, whole } = next;
      const stats = look(path);
      if (stats?.isFile() && isProtectedFile(path, context))
        found.push({ path, protection, inode: inodeOf(stats) });
      if (!stats?.isDirectory() || isLarge(path, context)) continue;
      for (const name of names(path)) open.push({ path: join(path, name), protection, whole });
    }
    return found;
  });
}

/** In the task folder, only some files are protected. */
function isProtectedFile(path: string, { checkouts, globs }: PathContext): boolean {
  const root = checkouts.find((one) => path.startsWith(`${one}/tasks/`));
  return root === undefined || protectionOf(path.slice(root.length + 1), { globs }) !== undefined;
}

const MAX_FOLDERS = 200;

/** Whether a folder inside a task folder contains task files, at any depth. */
export function holdsTasks(folder: string, { checkouts }: PathContext): boolean {
  if (!checkouts.some((root) => `${folder}/`.startsWith(`${root}/tasks/`))) return false;
  const open = [folder];
  for (let count = 0; count < MAX_FOLDERS; count += 1) {
    const next = open.pop();
    if (next === undefined) return false;
    const found = names(next);
    if (found.some((name) => /^TASK-.+\.md$/i.test(name))) return true;
    open.push(...found.filter((name) => !name.includes('.')).map((name) => join(next, name)));
  }
  return true;
}

/** Folders that are mostly unprotected, or too large to walk for a rare case. */
function isLarge(path: string, { checkouts, dataFolder, globs }: PathContext): boolean {
  if (path.startsWith(`${dataFolder}/worktrees`)) return true;
  return checkouts.some((root) => {
    if (path === root || path === `${root}/.git` || path === `${root}/.guardkit/logs`) return true;
    if (!path.startsWith(`${root}/`) || path.startsWith(`${root}/tasks`)) return false;
    const inside = path.slice(root.length + 1);
    return protectionOf(inside, { globs }) === undefined && !inside.startsWith('.');
  });
}

export function inodeOf({ dev, ino }: Stats): string {
  return `${dev}:${ino}`;
}

export function look(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    // Safe: a path that cannot be inspected has no other name that could be.
    return undefined;
  }
}

export function names(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Safe: not a folder, or not readable, also not for the agent's command, which runs as the same user.
    return [];
  }
}
