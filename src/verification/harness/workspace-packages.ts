import { posix } from 'node:path';
import { fitsGlob } from '../../domain/protection/fits-glob.ts';
import type { HarnessWalk } from './harness-walk.ts';
import { own, type PackageFile, packagePaths, readPackage, readPackages } from './package-file.ts';

/** The packages of the workspace; every package of the tree where none is declared. */
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
    // Safe: what is no JSON is compared as a whole file by the caller, or has no workspace to declare.
    return undefined;
  }
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
