import { lstatSync, readlinkSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';

export interface ResolvedPath {
  /** Symbolic links resolved, as far as the path exists. */
  path: string;
  /** Undefined if nothing is there. */
  stats: Stats | undefined;
  /** The symbolic links on the way; their parents are resolved. */
  links: string[];
  /** The links form a loop, or exceed the system's limit. */
  endless: boolean;
}

/** The system's limit. */
const MAX_LINKS = 40;

/** The target of a link; undefined if it must not be followed. */
export type ReadLink = (link: string) => string | undefined;

/** Cached results; discard after one operation. */
export type Looks = Map<string, Stats>;

/** Resolves the links of a path, which need not exist, to where the system would create it. */
export function resolvePath(
  path: string,
  readLink: ReadLink = (link) => readlinkSync(link),
  looks?: Looks,
): ResolvedPath {
  const links: string[] = [];
  // Last name first. `..` stays: after a link it means the parent of the target.
  let rest = names(path.startsWith('/') ? path : `${process.cwd()}/${path}`);
  let place = '/';
  let stats: Stats | undefined;
  // Depth below the first missing folder, where nothing needs to be checked.
  let missing = 0;
  for (let name = rest.pop(); name !== undefined; name = rest.pop()) {
    if (name === '..') {
      place = dirname(place);
      missing = Math.max(0, missing - 1);
      stats = rest.length === 0 ? lstat(place) : undefined;
      continue;
    }
    const next = place === '/' ? `/${name}` : `${place}/${name}`;
    const found = missing > 0 ? undefined : lookAt(next, looks);
    if (!found) missing += 1;
    const target = found?.isSymbolicLink() ? readLink(next) : undefined;
    if (target === undefined) {
      place = next;
      stats = found;
      continue;
    }
    links.push(next);
    if (links.length > MAX_LINKS) return { path: next, stats: undefined, links, endless: true };
    rest = [...rest, ...names(target)];
    if (target.startsWith('/')) place = '/';
    stats = rest.length === 0 ? lstat(place) : undefined;
  }
  return { path: place, stats: place === '/' ? lstatSync('/') : stats, links, endless: false };
}

/** The nearest existing path at or above a resolved path. */
export function nearestExisting(path: string): { path: string; stats: Stats } {
  for (let place = path; ; place = dirname(place)) {
    const stats = lstat(place);
    if (stats) return { path: place, stats };
    if (place === '/') throw new Error('there is no root folder');
  }
}

function lookAt(path: string, looks: Looks | undefined): Stats | undefined {
  const known = looks?.get(path);
  if (known !== undefined) return known;
  const found = lstat(path);
  // Missing paths are checked again: it is cheap, and they may exist by now.
  if (found) looks?.set(path, found);
  return found;
}

function lstat(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    // Safe: an inaccessible path (a file as parent, no permission) counts as missing.
    return undefined;
  }
}

function names(path: string): string[] {
  return path
    .split('/')
    .filter((name) => name !== '' && name !== '.')
    .reverse();
}
