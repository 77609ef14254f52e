import { existsSync, readdirSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { copyTree, removeTree } from '../../platform/files/file-trees.ts';
import { makeFolder } from '../../platform/files/make-folder.ts';
import { isPlainPath } from '../../platform/files/path-inside.ts';
import { isInstalled } from './dependency-folders.ts';
import type { VerificationWorkspace } from './verification-workspace.ts';
import { BARE_WORKSPACE, setupFolders } from './workspace-state.ts';

/** Copying more than this takes longer than it is worth; such folders get a layer, like dependencies. */
const MOST_FILES = 5000;
const MOST_BYTES = 256 * 1024 * 1024;

export interface CopiedBuilds {
  /** Relative to the workspace. */
  folders: readonly string[];
  /** Replaces the copies by the originals. */
  takeBack(): void;
}

/**
 * Gives the next command copies of the folders that the set-up built, such as `dist`. Test scripts often delete and
 * rebuild them, and a folder with a layer mounted on it cannot be deleted. The originals wait next to the workspace.
 */
export async function copyBuilds(workspace: VerificationWorkspace): Promise<CopiedBuilds> {
  const { folder, state } = workspace;
  const store = `${folder}.lent`;
  removeTree(store);
  const folders = setupFolders(state).filter(
    (path) => !isInstalled(path) && existsSync(join(folder, path)) && isSmall(join(folder, path)),
  );
  const takeBack = () => {
    try {
      folders.forEach((path, index) => {
        if (!isPlainPath(folder, path)) throw new Error(`the path of ${path} contains a link`);
        removeTree(join(folder, path));
        makeFolder(dirname(join(folder, path)));
        renameSync(join(store, String(index)), join(folder, path));
      });
    } catch {
      // Safe: without its result, the set-up runs again.
      workspace.remember(BARE_WORKSPACE);
    }
    removeTree(store);
  };
  if (folders.length > 0) makeFolder(store, 0o700);
  try {
    for (const [index, path] of folders.entries()) {
      renameSync(join(folder, path), join(store, String(index)));
      await copyTree(join(store, String(index)), join(folder, path));
    }
  } catch (error) {
    takeBack();
    throw error;
  }
  return { folders, takeBack };
}

function isSmall(folder: string): boolean {
  let files = 0;
  let bytes = 0;
  const pending = [folder];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const entry of readdirSync(next, { withFileTypes: true })) {
      const path = join(next, entry.name);
      if (entry.isDirectory()) pending.push(path);
      else if (entry.isFile()) bytes += statSync(path).size;
      files++;
      if (files > MOST_FILES || bytes > MOST_BYTES) return false;
    }
  }
  return true;
}
