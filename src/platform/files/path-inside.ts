import { lstatSync } from 'node:fs';
import { join } from 'node:path';

/** Whether a resolved path is this folder or inside it. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

export function depth(path: string): number {
  return path === '/' ? 0 : path.split('/').length - 1;
}

/** The folders above a resolved path, from the root down, without the path itself. */
export function foldersAbove(path: string): string[] {
  const names = path.split('/').slice(1, -1);
  return ['/', ...names.map((_, index) => `/${names.slice(0, index + 1).join('/')}`)];
}

/**
 * Joins normalised paths. `join` checks every character again, which takes longer than a stat of the file.
 */
export function pathBelow(folder: string, path: string): string {
  return folder.endsWith('/') ? `${folder}${path}` : `${folder}/${path}`;
}

/** Whether a path below a folder passes through no link: a link could lead outside. */
export function isPlainPath(root: string, path: string): boolean {
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  if (names.includes('..')) return false;
  return names.slice(0, -1).every((_, index) => {
    const stats = lstatSync(join(root, ...names.slice(0, index + 1)), { throwIfNoEntry: false });
    return stats === undefined || stats.isDirectory();
  });
}
