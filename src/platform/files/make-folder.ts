import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder and its missing parents. Node's `recursive` loops forever if an existing parent returns ENOENT, as /proc
 * does.
 */
export function makeFolder(path: string, mode = 0o777): void {
  if (isFolder(path)) return;
  const parent = dirname(path);
  // If the parent is a file, mkdir fails with ENOTDIR, like Node's own.
  if (parent !== path && !exists(parent)) makeFolder(parent, mode);
  try {
    mkdirSync(path, mode);
  } catch (error) {
    // Another process may have created it meanwhile.
    if (!isFolder(path)) throw error;
  }
}

function exists(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // Safe: a parent is a file or unreadable; mkdir reports that.
    return true;
  }
}

/** False if it cannot be examined: creating or using it then reports why. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // Safe: see above.
    return false;
  }
}
