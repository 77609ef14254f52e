import {
  chmodSync,
  cpSync,
  lstatSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { GuardKitError } from '../../guardkit-error.ts';
import { runProcess } from '../processes/run-process.ts';
import { makeFolder } from './make-folder.ts';

/** Moves a file, folder or link, also to another file system. Replaces the target. */
export function movePath(from: string, to: string): void {
  makeFolder(dirname(to));
  rmSync(to, { recursive: true, force: true });
  try {
    renameSync(from, to);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EXDEV')) throw error;
    copyPath(from, to);
    rmSync(from, { recursive: true, force: true });
  }
}

/** Copies a file, folder or link. Pipes and the like are skipped: they have no content. */
export function copyPath(from: string, to: string): void {
  // Not left to Node: some versions follow a link that is copied alone, and fail on a broken one.
  if (lstatSync(from).isSymbolicLink()) symlinkSync(readlinkSync(from, 'buffer'), to);
  else
    cpSync(from, to, {
      recursive: true,
      verbatimSymlinks: true,
      errorOnExist: true,
      force: false,
      filter: hasContent,
    });
}

function hasContent(path: string): boolean {
  const stat = lstatSync(path);
  return stat.isFile() || stat.isDirectory() || stat.isSymbolicLink();
}

/** Removes a folder recursively, including subfolders that a command left without permissions. */
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

const TIMEOUT_MS = 10 * 60_000;

/**
 * Copies a folder with owners, modes and times, with copy-on-write where the file system supports it. The target must not
 * exist.
 */
export async function copyTree(from: string, to: string): Promise<void> {
  // The system's cp is many times faster than copying file by file, and supports copy-on-write.
  const clone = process.platform === 'darwin' ? ['-c'] : ['--reflink=auto'];
  const options = { cwd: '/', env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' }, timeoutMs: TIMEOUT_MS };
  const first = await runProcess('/bin/cp', ['-a', ...clone, '--', from, to], options);
  if (first.exitCode === 0) return;
  throw new GuardKitError({
    code: 'files.not-copied',
    kind: 'outside',
    message: `${from} could not be copied to ${to}: ${first.tail.trim().slice(0, 500)}.`,
    hint: 'Check that the disk is not full and that the folder can be read.',
  });
}
