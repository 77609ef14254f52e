import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { GuardKitError } from '../../guardkit-error.ts';
import { copyTree } from './copy-tree.ts';

/** What is to be at a path. A copy is a path in the quarantine. */
export type VersionToWrite =
  | { kind: 'absent' }
  | { kind: 'file'; content: Uint8Array; mode: number }
  | { kind: 'copied-file'; copy: string; mode: number }
  | { kind: 'link'; target: Uint8Array }
  | { kind: 'folder'; copy?: string | undefined; mode: number };

export interface WriteOptions {
  /** Folders between this one and the file must be real folders, not links. */
  within?: string | undefined;
  /** Modes of missing folders, by absolute path (default: 755). */
  folderModes?: ReadonlyMap<string, number> | undefined;
}

/** Replaces a path as a whole. A link at the path is replaced, never followed; keep the old version first. */
export function writeVersion(absolute: string, version: VersionToWrite, options: WriteOptions = {}): void {
  if (version.kind === 'absent') {
    removePath(absolute);
    return;
  }
  makeParents(absolute, options);
  const temporary = join(dirname(absolute), `.guardkit.${randomUUID()}.tmp`);
  try {
    writeAt(temporary, version);
    // Rename replaces a file or link in one step, but neither replaces a folder nor is replaced by one.
    const standing = lstatSync(absolute, { throwIfNoEntry: false });
    if (standing && (standing.isDirectory() || version.kind === 'folder')) removePath(absolute);
    renameSync(temporary, absolute);
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    throw error;
  }
}

function writeAt(path: string, version: Exclude<VersionToWrite, { kind: 'absent' }>): void {
  switch (version.kind) {
    case 'link':
      symlinkSync(Buffer.from(version.target), path);
      return;
    case 'folder':
      if (version.copy === undefined) mkdirSync(path);
      else copyTree(version.copy, path);
      chmodSync(path, version.mode);
      return;
    case 'copied-file':
      copyFileSync(version.copy, path, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
      finishFile(openSync(path, WRITE), version.mode);
      return;
    case 'file':
      finishFile(
        openSync(path, WRITE | constants.O_CREAT | constants.O_EXCL, 0o600),
        version.mode,
        version.content,
      );
  }
}

const WRITE = constants.O_WRONLY | constants.O_NOFOLLOW;

/** The mode last: before it the file is private, and a power cut leaves no half of it. */
function finishFile(descriptor: number, mode: number, content: Uint8Array = new Uint8Array()): void {
  try {
    for (let offset = 0; offset < content.length; ) offset += writeSync(descriptor, content, offset);
    fchmodSync(descriptor, mode);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** A link leads elsewhere; it goes, and its target stays. */
function removePath(absolute: string): void {
  const stat = lstatSync(absolute, { throwIfNoEntry: false });
  if (stat?.isDirectory()) rmSync(absolute, { recursive: true, force: true });
  else if (stat) unlinkSync(absolute);
}

function makeParents(absolute: string, { within, folderModes }: WriteOptions): void {
  const missing: string[] = [];
  for (let folder = dirname(absolute); folder !== dirname(folder); folder = dirname(folder)) {
    const stat = lstatSync(folder, { throwIfNoEntry: false });
    const checked = within !== undefined && folder.startsWith(`${within}/`);
    if (checked && stat && !stat.isDirectory()) throw notAFolder(absolute, folder);
    if (!stat) missing.unshift(folder);
    else if (!checked) break;
  }
  for (const folder of missing) mkdirSync(folder, { mode: folderModes?.get(folder) ?? 0o755 });
}

function notAFolder(absolute: string, folder: string): GuardKitError {
  return new GuardKitError({
    code: 'restore.not-a-folder',
    kind: 'refused',
    message: `${absolute} cannot be written: ${folder} is not a folder.`,
    hint: `Look at ${folder}; if it is not yours, remove it and try again.`,
  });
}
