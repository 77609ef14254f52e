import { posix } from 'node:path';
import type { PathChange, TreeEntry } from '../../platform/git/git-tree.ts';

/** A package whose folder has another name now. */
export interface MovedPackage {
  from: string;
  to: string;
}

/**
 * The packages whose folders a change renames, next to their old place: none of the old folder is left, and nothing of the
 * new one existed. Relative paths then lead from their files to the same places.
 */
export function movedPackages(before: readonly string[], after: readonly string[]): MovedPackage[] {
  const gone = packagesOf(before).filter((folder) => !hasFolder(after, folder));
  const fresh = packagesOf(after).filter((folder) => !hasFolder(before, folder));
  const now = new Set(after);
  return gone.flatMap((from) => {
    const shared = (to: string) =>
      before.filter((path) => now.has(movedPath(path, { from, to }) ?? '')).length;
    const places = fresh
      .filter((to) => posix.dirname(to) === posix.dirname(from))
      .map((to) => ({ to, files: shared(to) }));
    // The new folder with most of the old files.
    const to = places.sort((a, b) => b.files - a.files)[0]?.to;
    return to === undefined ? [] : [{ from, to }];
  });
}

/** Where the move puts a file of the package; undefined for other files. */
export function movedPath(path: string, { from, to }: MovedPackage): string | undefined {
  return path.startsWith(`${from}/`) ? `${to}${path.slice(from.length)}` : undefined;
}

/** Both paths of the files that only move with the folder of their package: they test the same thing. */
export function onlyMovedFiles(
  before: readonly TreeEntry[],
  after: readonly TreeEntry[],
  changes: readonly PathChange[],
): Set<string> {
  const pathsOf = (kind: PathChange['change']) =>
    changes.filter(({ change }) => change === kind).map(({ path }) => path);
  const [deleted, added] = [pathsOf('deleted'), pathsOf('added')];
  const isPackage = (path: string) => path.endsWith('/package.json');
  if (!deleted.some(isPackage) || !added.some(isPackage)) return new Set();
  const moves = movedPackages(
    before.map(({ path }) => path),
    after.map(({ path }) => path),
  );
  const idOf = ({ mode, object }: TreeEntry) => `${mode} ${object}`;
  const now = new Map(after.map((entry) => [entry.path, idOf(entry)]));
  return new Set(
    before.flatMap((entry) =>
      moves.flatMap((move) => {
        const to = movedPath(entry.path, move);
        return to !== undefined && now.get(to) === idOf(entry) ? [entry.path, to] : [];
      }),
    ),
  );
}

function packagesOf(paths: readonly string[]): string[] {
  return paths.filter((path) => path.endsWith('/package.json')).map((path) => posix.dirname(path));
}

function hasFolder(paths: readonly string[], folder: string): boolean {
  return paths.some((path) => path.startsWith(`${folder}/`));
}
