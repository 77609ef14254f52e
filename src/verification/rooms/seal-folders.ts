import { createHash } from 'node:crypto';
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE_FOLDERS } from './dependency-folders.ts';

/**
 * A hash over names, sizes and time stamps of everything in some folders, without their caches. A program can set a
 * file's other stamps but not when it last changed, so a file that was written to shows.
 */
export function sealFolders(root: string, folders: readonly string[]): string {
  const hash = createHash('sha256');
  const caches = new Set(folders.flatMap((folder) => CACHE_FOLDERS.map((cache) => join(folder, cache))));
  const pending = [...folders];
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    const stat = lstatSync(join(root, path), { throwIfNoEntry: false, bigint: true });
    const isFolder = stat?.isDirectory() === true;
    hash.update(`${path}\0${stat?.mode}\0${isFolder ? '' : `${stat?.size} ${stat?.ctimeNs} ${stat?.ino}`}\n`);
    if (!isFolder) continue;
    const names = readdirSync(join(root, path)).sort();
    pending.push(...names.map((name) => join(path ?? '', name)).filter((inside) => !caches.has(inside)));
  }
  return hash.digest('hex');
}
