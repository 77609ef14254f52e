import { closeSync, constants, existsSync, openSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** A folder that stays the one it was, whatever is put in its place meanwhile. */
export interface HeldFolder {
  /** A path to it that leads nowhere else. */
  path: string;
  /** Where it lay when it was taken. */
  real: string;
  release(): void;
}

const DESCRIPTORS = '/proc/self/fd';

/**
 * Takes hold of a folder: what was looked at is what is read and written then. An agent in a sandbox may change its files
 * while GuardKit, outside of it, changes them for it; a link that comes up in between must not lead anywhere.
 */
export function holdFolder(path: string): HeldFolder {
  // Only where there is no /proc is there no sandbox either, and who asks can write wherever this can.
  if (!existsSync(DESCRIPTORS)) return { path, real: path, release: () => {} };
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
  const held = join(DESCRIPTORS, String(descriptor));
  try {
    return { path: held, real: readlinkSync(held), release: () => closeSync(descriptor) };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}
