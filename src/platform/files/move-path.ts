import { cpSync, lstatSync, mkdirSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname } from 'node:path';

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
