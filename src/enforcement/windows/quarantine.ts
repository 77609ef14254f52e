import { randomBytes } from 'node:crypto';
import { constants, copyFileSync, lstatSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from '../../platform/atomic-file.ts';
import { movePath } from '../../platform/move-path.ts';
import type { Found } from './found.ts';

/** Where copies of what agents left lie. */
export function quarantineFolder(dataFolder: string): string {
  return join(dataFolder, 'quarantine');
}

/** What is larger is moved away rather than copied. */
const MAX_COPIED_BYTES = 64 * 1024 * 1024;

/** Copies a content that was at a path and no longer is. Gives where, as an absolute path. */
export function quarantineContent(
  dataFolder: string,
  project: string,
  path: string,
  content: Buffer,
): string {
  const copy = join(quarantineFolder(dataFolder), project, `${moment()}-${plainName(path)}`);
  mkdirSync(join(copy, '..'), { recursive: true, mode: 0o700 });
  writeFileAtomic(copy, content, 0o600);
  return copy;
}

/** Copies what was found at a path. Gives where, relative to the quarantine; null where there is nothing to copy. */
export function quarantine(
  dataFolder: string,
  project: string,
  absolute: string,
  found: Found,
): string | null {
  const name = join(project || 'machine', `${moment()}-${plainName(found.path)}`);
  const copy = join(quarantineFolder(dataFolder), name);
  const folder = join(copy, '..');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (found.bytes !== undefined) writeFileAtomic(copy, found.bytes, 0o600);
  else if (found.kind === 'file') takeLarge(absolute, copy);
  else if (found.kind === 'folder') movePath(absolute, copy);
  else return null;
  return name;
}

/** In the order of time, and no two the same. */
function moment(): string {
  return `${new Date().toISOString().replaceAll(/[:.]/g, '-')}-${randomBytes(3).toString('hex')}`;
}

function plainName(path: string): string {
  return path.replaceAll(/[^A-Za-z0-9._-]+/g, '_').slice(-80);
}

function takeLarge(absolute: string, copy: string): void {
  const stat = lstatSync(absolute, { throwIfNoEntry: false });
  if (!stat?.isFile()) return;
  if (stat.size > MAX_COPIED_BYTES) {
    movePath(absolute, copy);
    return;
  }
  try {
    copyFileSync(absolute, copy, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  } catch {
    // Safe: one that may not be read can still be moved, and what cannot be moved either throws.
    movePath(absolute, copy);
  }
}
