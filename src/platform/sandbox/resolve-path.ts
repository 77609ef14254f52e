import { lstatSync, readlinkSync, type Stats } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

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

/** Resolves the links of a path that need not exist, to where the system would make it. */
export function resolvePath(path: string): ResolvedPath {
  const links: string[] = [];
  let rest = names(path);
  let place = '/';
  let stats: Stats | undefined = lstatSync('/');
  for (let name = rest.shift(); name !== undefined; name = rest.shift()) {
    const next = join(place, name);
    const found = lstat(next);
    if (found?.isSymbolicLink()) {
      links.push(next);
      if (links.length > MAX_LINKS) return { path: next, stats: undefined, links, endless: true };
      const target = resolve(place, readlinkSync(next));
      rest = [...names(target), ...rest];
      place = '/';
      stats = undefined;
    } else {
      place = next;
      stats = found;
    }
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

function lstat(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    // Safe: what cannot be looked at (a file where a folder should be, a folder without the right) is not there for us.
    return undefined;
  }
}

function names(path: string): string[] {
  return resolve(path).split('/').filter(Boolean);
}
