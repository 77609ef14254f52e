import {
  chmodSync,
  constants,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';

const REFLINK = constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE;

/**
 * Copies a file, link or folder to a path where nothing exists, with modes and link targets. A copy shares its blocks
 * with the original where the file system can do that. Sockets and pipes are left out.
 */
export function copyTree(from: string, to: string): void {
  const stat = lstatSync(from);
  if (stat.isSymbolicLink()) symlinkSync(readlinkSync(from, 'buffer'), to);
  else if (stat.isFile()) {
    copyFileSync(from, to, REFLINK);
    chmodSync(to, stat.mode & 0o7777);
  } else if (stat.isDirectory()) {
    mkdirSync(to, { mode: 0o700 });
    for (const name of readdirSync(from)) copyTree(join(from, name), join(to, name));
    // Last, since a folder that is read-only takes no files.
    chmodSync(to, stat.mode & 0o7777);
  }
}
