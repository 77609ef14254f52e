import { posix } from 'node:path';
import { canonicalJson, isTooDeep } from '../../domain/json/json.ts';
import { fitsGlob } from '../../domain/protection/fits-glob.ts';
import {
  folderOf,
  type HarnessWalk,
  harnessPart,
  under,
  unfollowedPart,
  WHOLE_FILE,
} from './harness-part.ts';

const MAX_PACKAGES = 500;

export interface PackageFile {
  path: string;
  folder: string;
  json: object;
}

/** The package.json that applies to a program started in a folder. */
export async function nearestPackage(walk: HarnessWalk, folder: string): Promise<PackageFile | undefined> {
  for (let at = folder; ; at = posix.dirname(at)) {
    const here = at === '.' ? '' : at;
    const found = await readPackage(walk, under(here, 'package.json'));
    if (found !== undefined || here === '') return found;
  }
}

/** Adds some keys of a package.json, independent of order and formatting. */
export async function addKeys(
  walk: HarnessWalk,
  found: PackageFile | undefined,
  keys: readonly string[],
): Promise<void> {
  if (found === undefined) return;
  for (const key of keys) {
    const value = own(found.json, key);
    if (value === undefined) continue;
    const text = canonicalJson(value);
    walk.add(harnessPart(found.path, key, text));
    if (typeof value === 'object') await walk.addNamedFiles(text, found.folder, 1);
  }
}

export async function readPackage(walk: HarnessWalk, path: string): Promise<PackageFile | undefined> {
  const file = await walk.reader.read(path);
  if (file === undefined) return undefined;
  const folder = folderOf(path);
  if (file.type === 'text') {
    try {
      const json: unknown = JSON.parse(file.text.replace(/^\uFEFF/, ''));
      if (json !== null && typeof json === 'object' && !isTooDeep(json)) return { path, folder, json };
    } catch {
      // Safe: an unreadable file is compared as a whole, below.
    }
  }
  if (walk.begin(`unreadable ${path}`)) {
    walk.add(unfollowedPart(path, 'it is not readable as JSON'));
    walk.add(harnessPart(path, WHOLE_FILE, file.type === 'text' ? file.text : JSON.stringify(file)));
  }
  return { path, folder, json: {} };
}

/** Every package.json except in fixtures that are not in the workspace. */
export async function packagePaths(walk: HarnessWalk): Promise<string[]> {
  const { files } = await walk.reader.list();
  const patterns = await workspacePatterns(walk);
  const isMember = (file: string) => patterns.some((glob) => fitsGlob(posix.dirname(file), glob));
  return files.filter(
    (file) =>
      posix.basename(file) === 'package.json' && (!/(?:^|\/)fixtures?\//.test(file) || isMember(file)),
  );
}

export async function readPackages(walk: HarnessWalk, paths: readonly string[]): Promise<PackageFile[]> {
  if (paths.length > MAX_PACKAGES) walk.add(unfollowedPart('(tree)', 'it has too many packages'));
  const found = await Promise.all(paths.slice(0, MAX_PACKAGES).map((path) => readPackage(walk, path)));
  return found.filter((one) => one !== undefined);
}

export function own(value: unknown, key: string): unknown {
  return value !== null && typeof value === 'object' && Object.hasOwn(value, key)
    ? Reflect.get(value, key)
    : undefined;
}

export function entries(value: unknown): [string, unknown][] {
  return value !== null && typeof value === 'object' ? Object.entries(value) : [];
}

/** The packages of the workspace; every package of the tree if none is declared. */
export async function allPackages(walk: HarnessWalk): Promise<PackageFile[]> {
  const paths = await packagePaths(walk);
  const patterns = await workspacePatterns(walk);
  const [included, excluded] = [
    patterns.filter((one) => !one.startsWith('!')),
    patterns.filter((one) => one.startsWith('!')).map((one) => one.slice(1)),
  ];
  const isMember = (path: string) => {
    const folder = posix.dirname(path);
    if (folder === '.' || included.length === 0) return true;
    return (
      included.some((glob) => fitsGlob(folder, glob)) && !excluded.some((glob) => fitsGlob(folder, glob))
    );
  };
  return readPackages(walk, paths.filter(isMember));
}

async function workspacePatterns(walk: HarnessWalk): Promise<string[]> {
  const found: unknown[] = [];
  const root = await readPackage(walk, 'package.json');
  const declared = own(root?.json, 'workspaces');
  found.push(...listOf(declared), ...listOf(own(declared, 'packages')));
  found.push(...listOf(own(await readJson(walk, 'lerna.json'), 'packages')));
  const pnpm = (await walk.reader.readText('pnpm-workspace.yaml')) ?? '';
  const list = /^packages:[^\S\n]*\n((?:[^\S\n]*(?:-[^\n]*|#[^\n]*)?\n?)*)/m.exec(pnpm)?.[1] ?? '';
  for (const line of list.split('\n')) {
    const item = /^\s*-\s*["']?([^"'#\s]+)/.exec(line)?.[1];
    if (item !== undefined) found.push(item);
  }
  return found
    .filter((one) => typeof one === 'string')
    .map((one) => one.replace(/^(!?)\.\//, '$1').replace(/\/$/, ''));
}

export async function readJson(walk: HarnessWalk, path: string): Promise<unknown> {
  try {
    return JSON.parse((await walk.reader.readText(path)) ?? '');
  } catch {
    // Safe: a file that is not JSON is compared as a whole by the caller, or declares no workspace.
    return undefined;
  }
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
