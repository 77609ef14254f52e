import { posix } from 'node:path';
import { parse } from 'yaml';
import { canonicalJson, isTooDeep } from '../../../domain/json/json.ts';
import { folderOf, type HarnessWalk, harnessPart, PACKAGE_NAME, unfollowedPart } from '../harness-part.ts';
import { allPackages, entries, own, type PackageFile, packagePaths, readPackages } from '../read-packages.ts';
import { insidePath } from '../tree-reader.ts';
import type { IsNeeded } from './add-locked-packages.ts';
import { isJudge } from './judging-packages.ts';

const DEPENDENCIES = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];
const OVERRIDES = [
  'overrides',
  'resolutions',
  'pnpm',
  'patchedDependencies',
  'catalog',
  'catalogs',
  'workspaces',
];
const SETTINGS = new Set(['.yarnrc.yml', 'pnpm-workspace.yaml']);
const MAX_FILES = 2000;

/** A setting that takes a package from another source, or patches it. */
interface Redirect {
  part: string;
  value: unknown;
}

/** Adds sources other than the registry from which a package manager takes the packages that judge, and all they need. */
export async function addRedirects(walk: HarnessWalk, isNeeded: IsNeeded): Promise<void> {
  for (const found of await readPackages(walk, await packagePaths(walk))) {
    const redirects = [
      ...DEPENDENCIES.flatMap((group) => redirectsIn(own(found.json, group), group, isJudge)),
      ...OVERRIDES.flatMap((group) => redirectsIn(own(found.json, group), group, isNeeded)),
    ];
    for (const { part, value } of redirects) {
      walk.add(harnessPart(found.path, part, canonicalJson(value)));
      await addTarget(walk, value, found.folder);
    }
    // In a workspace, or by self-reference, it takes the place of the installed one.
    const name = own(found.json, 'name');
    const isEditors = found.path.startsWith('.yarn/sdks/');
    if (typeof name === 'string' && isNeeded(name) && !isEditors)
      walk.add(harnessPart(found.path, PACKAGE_NAME, name));
  }
  const { files } = await walk.reader.list();
  for (const path of files.filter((file) => SETTINGS.has(posix.basename(file))))
    await addFromYaml(walk, path, isNeeded);
}

async function addFromYaml(walk: HarnessWalk, path: string, isNeeded: IsNeeded): Promise<void> {
  const text = await walk.reader.readText(path);
  if (text === undefined) return;
  let value: unknown;
  try {
    value = parse(text);
  } catch {
    // Compared as a whole: another reader may understand it.
    return walk.addFile(path, 0);
  }
  if (isTooDeep(value)) return walk.addFile(path, 0);
  for (const redirect of redirectsIn(value, 'redirected packages', isNeeded)) {
    walk.add(harnessPart(path, redirect.part, canonicalJson(redirect.value)));
    await addTarget(walk, redirect.value, folderOf(path));
  }
}

/** The settings of a group, however deep, whose key names one of these packages and whose value is not a version. */
function redirectsIn(group: unknown, at: string, isOne: IsNeeded, isBelow = false): Redirect[] {
  return entries(group).flatMap(([key, value]) => {
    const part = `${at}.${key}`;
    const counts = isBelow || namesIn(key).some(isOne);
    if (value !== null && typeof value === 'object' && !Array.isArray(value))
      return redirectsIn(value, part, isOne, counts);
    return counts && typeof value === 'string' && !isVersion(value, key) ? [{ part, value }] : [];
  });
}

/** The names in a selector such as `a@1>b`, `a/b` or a glob and a name. */
function namesIn(key: string): string[] {
  return [...key.matchAll(/(@[\w.-]{1,100}\/[\w.-]{1,200}|[\w.-]{1,200})(?=[@/>]|$)/g)].map(([name]) => name);
}

/** A version from the registry, of the package itself or of the same one as elsewhere in the project. */
function isVersion(value: string, key: string): boolean {
  if (/^[\w.^~<>=|* -]+$|^\$|^(?:workspace|catalog):[\w.^~*-]*$/.test(value)) return true;
  const [, name] = /^npm:(?:(@?[^@]+)@)?[\w.^~<>=|* -]+$/.exec(value) ?? [];
  return value.startsWith('npm:') && (/^npm:[\d^~<>=*]/.test(value) || namesIn(key).at(-1) === name);
}

/** What a redirect leads to: a patch, an archive or a folder with a package that is not the product. */
async function addTarget(walk: HarnessWalk, value: unknown, folder: string): Promise<void> {
  if (typeof value !== 'string') return;
  const words = value.startsWith('patch:')
    ? value.slice(value.indexOf('#') + 1).split('&')
    : [value.replace(/^(?:file|link|portal|exec):/, '')];
  for (const word of words) {
    const plain = word.replace(/^optional!/, '').replace(/::.*$/, '');
    const path = insidePath(
      plain.startsWith('~/') ? plain.slice(2) : posix.join(folder === '' ? '.' : folder, plain),
    );
    if (path === undefined || path === '') continue;
    if (await walk.reader.isFolder(path)) await addFolder(walk, path);
    else await walk.addFile(path, 0);
  }
}

async function addFolder(walk: HarnessWalk, folder: string): Promise<void> {
  const members = new Set((await allPackages(walk)).map((one: PackageFile) => one.folder));
  const declared = (await walk.reader.list()).files.some((path) => path === 'pnpm-workspace.yaml');
  const root = (await readPackages(walk, ['package.json']))[0];
  // A package of the workspace is what the tests judge.
  if ((declared || own(root?.json, 'workspaces') !== undefined) && members.has(folder)) return;
  const files = (await walk.reader.list()).files.filter((path) => path.startsWith(`${folder}/`));
  if (files.length > MAX_FILES) walk.add(unfollowedPart(folder, 'it has too many files'));
  for (const path of files.slice(0, MAX_FILES)) await walk.addFile(path, 0);
}
