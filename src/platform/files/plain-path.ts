import { lstatSync } from 'node:fs';
import { join } from 'node:path';

/** Whether a path below a folder leads through folders only: behind a link, something outside would be touched. */
export function isPlainPath(root: string, path: string): boolean {
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  if (names.includes('..')) return false;
  return names.slice(0, -1).every((_, index) => {
    const stats = lstatSync(join(root, ...names.slice(0, index + 1)), { throwIfNoEntry: false });
    return stats === undefined || stats.isDirectory();
  });
}
