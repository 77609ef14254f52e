import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE_FOLDERS } from './dependency-folders.ts';

/**
 * A hash over names, sizes and time stamps of everything in some folders, without their caches. A program can set a
 * file's other stamps but not when it last changed, so a file that was written to shows.
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
    const names = namesIn(join(root, path)).sort();
    pending.push(...names.map((name) => join(path ?? '', name)).filter((inside) => !skipped.has(inside)));
  }
  return hash.digest('hex');
}

/** A hash over the content of single files, which stays the same when they are moved. */
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

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Safe: nobody else can read it either; its mode is part of the seal.
    return [];
  }
}
