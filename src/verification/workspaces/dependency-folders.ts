import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { namesIn } from '../../platform/files/names-in.ts';

/** Folders that a set-up fills with other people's code. */
const DEPENDENCY_FOLDERS: ReadonlySet<string> = new Set([
  'node_modules',
  '.venv',
  'venv',
  '.pnpm-store',
  '__pypackages__',
  'bower_components',
]);

/** Caches of tools inside those. Emptied before each run. */
export const CACHE_FOLDERS = ['.cache', '.vite', '.vite-temp', '.vitest'] as const;

/**
 * Other results of an installation that depend only on the dependency files: lock files, yarn's loader and packages,
 * and the metadata of an editable Python package, such as the version that its build took from git.
 */
const INSTALLED_FILES =
  /^(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|uv\.lock|poetry\.lock|pdm\.lock|Pipfile\.lock|Gemfile\.lock|composer\.lock|Cargo\.lock|go\.sum|go\.work\.sum|\.pnp\.(?:cjs|js|data\.json|loader\.mjs)|\.pdm-python|_(?:scm_)?version\.(?:py|txt)|__version__\.py)$/;
const INSTALLED_FOLDERS =
  /(?:^|\/)(?:\.yarn(?:\/(?:cache|unplugged|install-state\.gz|build-state\.yml))?|vendor\/bundle|\.bundle|[^/]+\.egg-info)$/;

/**
 * Folders that no test needs: reports, which a set-up that ran tests must not leave for the run that counts, and caches
 * and git hooks, which would make the set-up run again for every tree.
 */
const UNNEEDED_FOLDERS =
  /(?:^|\/)(?:coverage|htmlcov|\.nyc_output|test-results|test-reports|reports?|__pycache__|\.(?:pytest|mypy|ruff)_cache|\.(?:nx|turbo|parcel-cache)|\.husky\/_)$/;

export function isDependencyFolder(path: string): boolean {
  const parts = path.split('/').filter((part) => part !== '');
  return (
    DEPENDENCY_FOLDERS.has(parts.at(-1) ?? '') &&
    !parts.slice(0, -1).some((part) => DEPENDENCY_FOLDERS.has(part))
  );
}

/** Whether a path from a set-up is valid for every tree with the same dependencies. */
export function isInstalled(path: string): boolean {
  return (
    isDependencyFolder(path) ||
    INSTALLED_FOLDERS.test(path) ||
    INSTALLED_FILES.test(path.split('/').at(-1) ?? '')
  );
}

/** Whether a folder from a set-up is not kept. */
export function isUnneeded(path: string): boolean {
  return UNNEEDED_FOLDERS.test(path);
}

/**
 * A hash of the names, sizes and times of everything in some folders, except caches. A program can set a file's other
 * times but not its change time, so that a written file is noticed.
 */
export function sealFolders(
  root: string,
  folders: readonly string[],
  caches: 'skip' | 'include' = 'skip',
): string {
  const hash = createHash('sha256');
  const left = caches === 'include' ? [] : folders;
  const skipped = new Set(left.flatMap((folder) => CACHE_FOLDERS.map((cache) => join(folder, cache))));
  const pending = [...folders];
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    const stat = lstatSync(join(root, path), { throwIfNoEntry: false, bigint: true });
    const isFolder = stat?.isDirectory() === true;
    hash.update(`${path}\0${stat?.mode}\0${isFolder ? '' : `${stat?.size} ${stat?.ctimeNs} ${stat?.ino}`}\n`);
    if (!isFolder) continue;
    // If it cannot be read, nobody else can read it either; its mode is part of the seal.
    const names = namesIn(join(root, path)).sort();
    pending.push(...names.map((name) => join(path ?? '', name)).filter((inside) => !skipped.has(inside)));
  }
  return hash.digest('hex');
}

/** A hash of the content of single files; it survives moving them. */
export function sealFiles(root: string, paths: readonly string[]): string {
  const hash = createHash('sha256');
  for (const path of paths) {
    const stat = lstatSync(join(root, path), { throwIfNoEntry: false });
    hash.update(`${path}\0${stat?.mode}\0`);
    if (stat?.isFile()) hash.update(readFileSync(join(root, path)));
    if (stat?.isSymbolicLink()) hash.update(readlinkSync(join(root, path)));
  }
  return hash.digest('hex');
}
