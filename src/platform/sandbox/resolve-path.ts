import { lstatSync, readlinkSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';

export interface ResolvedPath {
  /** Without symbolic links, as far as it exists. */
  path: string;
  /** Undefined if nothing is there. */
  stats: Stats | undefined;
  /** The symbolic links on the way, resolved up to their own names. */
  links: string[];
  /** The links lead nowhere: to each other, or through more than the system follows. */
  endless: boolean;
}

/** As the system itself allows. */
const MAX_LINKS = 40;

/** Where a link leads; undefined for one that is not followed. */
export type ReadLink = (link: string) => string | undefined;

/** What was found at paths that were looked at already; to be kept no longer than one question takes. */
export type Looks = Map<string, Stats>;

/** Resolves the links of a path that need not exist, to where the system would make it. */
export function resolvePath(
  path: string,
  readLink: ReadLink = (link) => readlinkSync(link),
  looks?: Looks,
): ResolvedPath {
  const links: string[] = [];
  // The last first. `..` stays: behind a link it leads out of where the link leads, not back.
  let rest = names(path.startsWith('/') ? path : `${process.cwd()}/${path}`);
  let place = '/';
  let stats: Stats | undefined;
  // How many names deep it is in what is not there, below which nothing has to be looked for.
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

/** The nearest thing at or above a resolved path that exists. */
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
  // What was not there is looked for again: it costs little, and may be there by now.
  if (found) looks?.set(path, found);
  return found;
}

function lstat(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    // Safe: what cannot be looked at (a file where a folder should be, a folder without the right) is not there for us.
    return undefined;
  }
}

function names(path: string): string[] {
  return path
    .split('/')
    .filter((name) => name !== '' && name !== '.')
    .reverse();
}
