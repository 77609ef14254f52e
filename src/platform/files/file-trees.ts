import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** Moves a file, a folder or a link as it is, also to another file system. What stood there before goes. */
export function movePath(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  rmSync(to, { recursive: true, force: true });
  try {
    renameSync(from, to);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EXDEV')) throw error;
    copyPath(from, to);
    rmSync(from, { recursive: true, force: true });
  }
}

/** For what cannot be moved. Pipes and the like within a folder are left out: there is nothing in them. */
export function copyPath(from: string, to: string): void {
  // Not left to Node, some versions of which follow a link that is copied by itself, and fail where it leads nowhere.
  if (lstatSync(from).isSymbolicLink()) symlinkSync(readlinkSync(from, 'buffer'), to);
  else
    cpSync(from, to, {
      recursive: true,
      verbatimSymlinks: true,
      errorOnExist: true,
      force: false,
      filter: holdsSomething,
    });
}

function holdsSomething(path: string): boolean {
  const stat = lstatSync(path);
  return stat.isFile() || stat.isDirectory() || stat.isSymbolicLink();
}

/** Removes a folder with everything in it, also what a command left without permission to look into or to delete. */
export function removeTree(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // Safe: the second attempt reports what still fails.
    openFolders(path);
    rmSync(path, { recursive: true, force: true });
  }
}

function openFolders(path: string): void {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  chmodSync(path, 0o700);
  for (const entry of readdirSync(path, { withFileTypes: true }))
    if (entry.isDirectory()) openFolders(join(path, entry.name));
}
