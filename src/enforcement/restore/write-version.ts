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
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { GuardKitError } from '../../guardkit-error.ts';

/** The version to write. `copy` is a path in the quarantine. */
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
    // A rename atomically replaces a file or link, but not a folder.
    const current = lstatSync(absolute, { throwIfNoEntry: false });
    if (current && (current.isDirectory() || version.kind === 'folder')) removePath(absolute);
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

/** Sets the mode last, so that the file is private until it is complete. */
function finishFile(descriptor: number, mode: number, content: Uint8Array = new Uint8Array()): void {
  try {
    for (let offset = 0; offset < content.length; ) offset += writeSync(descriptor, content, offset);
    fchmodSync(descriptor, mode);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Removes a link itself, never its target. */
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
    message: `Cannot write ${absolute}: ${folder} is not a folder.`,
    hint: `Check ${folder}; if it is not yours, remove it and try again.`,
  });
}

const REFLINK = constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE;

/**
 * Copies a file, link or folder to a new path, with modes and link targets. Uses reflinks if the file system has them.
 * Skips sockets and pipes.
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
    // Last: no file can be created in a read-only folder.
    chmodSync(to, stat.mode & 0o7777);
  }
}
