import { closeSync, lstatSync, mkdirSync, openSync, rmdirSync, unlinkSync } from 'node:fs';
import { foldersAbove } from './path-inside.ts';

/**
 * Makes empty files and folders, and the folders above them, to mount on. The answer removes those that are still as
 * they were made.
 */
export function holdPlaces(places: readonly { path: string; folder: boolean }[]): () => void {
  const made: { path: string; folder: boolean }[] = [];
  const makeFolder = (path: string) => {
    if (lstatSync(path, { throwIfNoEntry: false })) return;
    mkdirSync(path);
    made.push({ path, folder: true });
  };
  const release = () => {
    for (const { path, folder } of made.splice(0).reverse()) removeIfEmpty(path, folder);
  };
  try {
    for (const { path, folder } of places) {
      for (const above of foldersAbove(path)) makeFolder(above);
      if (folder) makeFolder(path);
      else if (!lstatSync(path, { throwIfNoEntry: false })) {
        closeSync(openSync(path, 'wx', 0o644));
        made.push({ path, folder: false });
      }
    }
  } catch (error) {
    release();
    throw error;
  }
  return release;
}

function removeIfEmpty(path: string, folder: boolean): void {
  try {
    if (folder) rmdirSync(path);
    else if (lstatSync(path).size === 0) unlinkSync(path);
  } catch {
    // Safe: it has content of somebody's, or is gone with the folder around it.
  }
}
