import { randomUUID } from 'node:crypto';
import { linkSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { writeFileAtomic } from '../../platform/files/atomic-file.ts';

/** Makes a file that appears whole, unless something of that name is there already; says whether it did. */
export function createFile(path: string, text: string): boolean {
  const temporary = join(dirname(path), `.${basename(path)}.${randomUUID()}.new`);
  try {
    writeFileAtomic(temporary, text);
    return giveName(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** A link refuses a name that is taken, also by a process that was faster; a rename would replace its file. */
function giveName(temporary: string, path: string): boolean {
  try {
    linkSync(temporary, path);
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EEXIST') return false;
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS') throw error;
    // Some file systems know no links.
    renameSync(temporary, path);
    return true;
  }
}
