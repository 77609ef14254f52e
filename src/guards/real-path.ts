import { readlinkSync, type Stats } from 'node:fs';
import { join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  gitProtectionOf,
  homeProtectionOf,
  laterUseOf,
  type Protection,
  protectionOf,
} from '../domain/protection/protected-paths.ts';

import { isInside } from '../platform/files/path-inside.ts';
import { resolvePath } from '../platform/sandbox/resolve-path.ts';
import { fitsPattern } from './command/words/fits-pattern.ts';

import {
  foldsCase,
  holdsTasks,
  inodeOf,
  look,
  names,
  type PathContext,
  protectedInodes,
  protectedSpots,
  resolveFrom,
} from './path-context.ts';

export type { Protection } from '../domain/protection/protected-paths.ts';

/** A path with every link, `..` and detour resolved. */
export interface RealPath {
  /** As written in the action. */
  given: string;
  /** Absolute, with links resolved. */
  real: string;
  /** Relative to the project, with `/`; undefined outside it. */
  inProject: string | undefined;
  /** The protection of this path, also if reached through another name or a hard link. */
  protectedAs: Protection | undefined;
  /** The protection of a file below it, which removing or moving this path would affect. */
  protectedBelow: Protection | undefined;
  /** Whether it exists; undefined if not checked. */
  exists?: boolean;
  /** In the home folder: how other programs will use the file. */
  laterUse?: string | undefined;
}

/** Longer than any system allows, with ample room for paths that an agent's tool shortens first. */
const MAX_LENGTH = 65_536;

/** Resolves a path and its protection. With `glob`, a protected match represents all matches. */
export function realPath(
  given: string,
  context: PathContext,
  { glob = false }: { glob?: boolean } = {},
): RealPath {
  const [path, ...others] = readings(given.slice(0, MAX_LENGTH), context);
  if (!glob) {
    const first = describe(given, path, context);
    if (first.protectedAs !== undefined) return first;
    return (
      others
        .map((other) => describe(given, other, context))
        .find(({ protectedAs }) => protectedAs !== undefined) ?? first
    );
  }
  const matches = expandGlob(path, context).map((match) => describe(given, match, context));
  return (
    matches.find(({ protectedAs }) => protectedAs) ??
    matches.find(({ protectedBelow }) => protectedBelow) ??
    describe(given, path, context)
  );
}

/** The protection of an existing file below a real path. */
export function protectedBelow(real: string, context: PathContext): Protection | undefined {
  const folder = real === '/' ? '/' : `${real}/`;
  const spot = protectedSpots(context).find(
    ({ path, whole }) => (path.startsWith(folder) || (!whole && path === real)) && look(path) !== undefined,
  );
  return spot?.protection ?? (holdsTasks(real, context) ? 'definition' : undefined);
}

function describe(given: string, path: string, context: PathContext): RealPath {
  const { path: real, stats } = resolveFrom(context, path, linkReader(context.cwd));
  return {
    given,
    real,
    inProject: isInside(real, context.root) ? real.slice(context.root.length + 1) : undefined,
    protectedAs: classify(real, context) ?? linkedTo(stats, context),
    protectedBelow: protectedBelow(real, context),
    exists: stats !== undefined,
    laterUse: isInside(real, context.home) ? laterUseOf(real.slice(context.home.length + 1)) : undefined,
  };
}

/**
 * The absolute paths that programs may understand, the usual one first. Some take `~` and URLs literally, some decode the text
 * or drop a leading `@`, and many remove `..` before the system follows links.
 */
function readings(given: string, context: PathContext): [string, ...string[]] {
  const usual = absolute(given, context);
  if (!MANY_MEANINGS.test(given)) return [usual];
  const texts = [given, given.replaceAll('\0', ''), decoded(given), given.replace(/^@[\\/]*/, '')];
  const places = texts.flatMap((text) => [absolute(text, context), absolute(text, context, true)]);
  return [usual, ...new Set([...places, ...places.map((place) => normalize(place))])];
}

const MANY_MEANINGS = /^(?:~|@|file:)|\0|%[0-9a-f]{2}|\/\.\.|^\.\./i;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('\0', ''));
  } catch {
    // Safe: a program that decodes it fails too.
    return text;
  }
}

function absolute(given: string, { cwd, home }: PathContext, literally = false): string {
  const path = !literally && given.startsWith('file://') ? fromUrl(given) : given;
  if (!literally && (path === '~' || path.startsWith('~/'))) return `${home}${path.slice(1)}`;
  return path.startsWith('/') ? path : `${cwd}/${path}`;
}

function fromUrl(url: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    // Safe: not a file URL, so it is judged as plain text.
    return url;
  }
}

/**
 * Reads links, except those in /proc that depend on the current process: that is GuardKit here, and the agent's command
 * later.
 */
function linkReader(cwd: string): (link: string) => string | undefined {
  const own = `/proc/${process.pid}`;
  return (link) => {
    if (link === `${own}/cwd` || link.startsWith(`${own}/task/`))
      return link.endsWith('/cwd') ? cwd : undefined;
    if (link.startsWith(`${own}/fd/`)) return undefined;
    try {
      return readlinkSync(link);
    } catch {
      // Safe: the agent runs as the same user and cannot follow this link either.
      return undefined;
    }
  };
}

function classify(real: string, context: PathContext): Protection | undefined {
  const found = classifyAs(real, context, false);
  // Ask the file system only if the path differs from a protected one in case alone.
  return (
    found ??
    (classifyAs(fold(real), context, true) && foldsCase(context)
      ? classifyAs(fold(real), context, true)
      : undefined)
  );
}

function classifyAs(real: string, context: PathContext, anyCase: boolean): Protection | undefined {
  const below = (folder: string) => {
    const base = anyCase ? fold(folder) : folder;
    return isInside(real, base) ? real.slice(base.length + 1) : undefined;
  };
  const { checkouts, gitFolders, dataFolder, home, configLocations, globs } = context;
  const inCheckouts = checkouts.map(below);
  for (const path of inCheckouts) {
    if (path === undefined) continue;
    const found = path === '.git' ? 'git-internals' : protectionOf(path, { globs, anyCase });
    if (found !== undefined) return found;
  }
  for (const folder of gitFolders) {
    const path = below(folder);
    const found = path === undefined ? undefined : gitProtectionOf(path, anyCase);
    if (found !== undefined) return found;
  }
  // Build worktrees are in the data folder, and agents work in them.
  const isWork = checkouts.some(
    (root, index) => isInside(root, dataFolder) && inCheckouts[index] !== undefined,
  );
  if (below(dataFolder) !== undefined && !isWork) return 'data';
  if (context.gitIncludes.some((file) => real === (anyCase ? fold(file) : file))) return 'git-internals';
  if (context.hooksPaths.some((folder) => below(folder) !== undefined)) return 'git-internals';
  for (const { folder, asAtHome } of configLocations) {
    const path = below(folder);
    const found = path === undefined ? undefined : homeProtectionOf(asAtHome(path), anyCase);
    if (found !== undefined) return found;
  }
  const atHome = below(home);
  if (atHome !== undefined) return homeProtectionOf(atHome, anyCase);
  if (real === '/etc/gitconfig') return 'git-internals';
  return isInside(real, '/etc/claude-code') ? 'agent-settings' : undefined;
}

/** Folds case, and drops characters that some file systems ignore in names. */
function fold(path: string): string {
  const ascii = /^[\x20-\x7e]*$/.test(path);
  if (ascii) return path.toLowerCase();
  return path
    .normalize('NFC')
    .replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, '')
    .toUpperCase()
    .toLowerCase();
}

/** The protection of another hard link of the same file. */
function linkedTo(stats: Stats | undefined, context: PathContext): Protection | undefined {
  if (!stats?.isFile() || stats.nlink < 2) return undefined;
  return protectedInodes(context).get(inodeOf(stats));
}

const PATTERN = /[*?[(]/;
const MAX_MATCHES = 500;
const MAX_CHECKED = 5_000;
const MAX_FOLDERS = 500;

/** The paths that a shell would expand a pattern to; none in folders that cannot contain protected files. */
function expandGlob(pattern: string, context: PathContext): string[] {
  const parts = pattern.split('/').filter((part) => part !== '');
  const first = parts.findIndex((part) => PATTERN.test(part));
  if (first === -1) return [pattern];
  const folder = resolvePath(`/${parts.slice(0, first).join('/')}`).path;
  if (!concerns(folder, context)) return [];
  let found = [folder];
  let checked = 0;
  let folders = 0;
  for (const part of parts.slice(first)) {
    const next: string[] = [];
    for (const at of found) {
      if (next.length >= MAX_MATCHES || checked >= MAX_CHECKED || folders >= MAX_FOLDERS) break;
      if (!PATTERN.test(part)) {
        if (part === '..' || part === '.' || look(join(at, part))) next.push(`${at}/${part}`);
        continue;
      }
      const wanted = simplified(part);
      folders += 1;
      for (const name of names(at)) {
        checked += 1;
        // A shell skips hidden files unless the pattern starts with a dot.
        if (name.startsWith('.') && !part.startsWith('.')) continue;
        if (fitsPattern(name, wanted)) next.push(join(at, name));
      }
    }
    found = next;
    if (found.length === 0) return [];
  }
  return found.slice(0, MAX_MATCHES);
}

/** Whether something protected is below this folder or contains it. */
function concerns(folder: string, context: PathContext): boolean {
  const below = folder === '/' ? '/' : `${folder}/`;
  return protectedSpots(context).some(
    ({ path }) => path.startsWith(below) || `${folder}/`.startsWith(`${path}/`),
  );
}

/** Treats alternatives as `*`: matching too much is safe. */
function simplified(part: string): string {
  return /[(]/.test(part) ? '*' : part;
}
