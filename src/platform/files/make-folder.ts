import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder and its missing parents. Node's own `recursive` loops forever where an existing parent answers ENOENT,
 * as /proc does.
 */
export function makeFolder(path: string, mode = 0o777): void {
  if (isFolder(path)) return;
  const parent = dirname(path);
  // A file in the place of the parent makes mkdir answer ENOTDIR, as Node's own does.
  if (parent !== path && !exists(parent)) makeFolder(parent, mode);
  try {
    mkdirSync(path, mode);
  } catch (error) {
    // Another process may have created it in between.
    if (!isFolder(path)) throw error;
  }
}

function exists(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // Safe: a file above it, or a folder that cannot be looked into; mkdir reports that.
    return true;
  }
}

/** Also false where it cannot be looked at: creating or using it then reports why. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // Safe: see above.
    return false;
  }
}
