import { closeSync, constants, existsSync, openSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** An open folder: its path stays valid even if something else takes its place. */
export interface OpenFolder {
  /** A path that can only lead to this folder. */
  path: string;
  /** Its real path when it was opened. */
  real: string;
  release(): void;
}

const DESCRIPTORS = '/proc/self/fd';

/**
 * Opens a folder, so that GuardKit reads and writes the folder it checked. GuardKit works outside the sandbox of an agent
 * that can change these files at the same time; a symbolic link created in between must have no effect.
 */
export function openFolder(path: string): OpenFolder {
  // Systems without /proc have no sandbox either, so the caller can already write everywhere that this process can.
  if (!existsSync(DESCRIPTORS)) return { path, real: path, release: () => {} };
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
  const link = join(DESCRIPTORS, String(descriptor));
  try {
    return { path: link, real: readlinkSync(link), release: () => closeSync(descriptor) };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}
