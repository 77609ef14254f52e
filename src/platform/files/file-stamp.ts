import { type BigIntStats, closeSync, constants, fstatSync, futimesSync, lstatSync, openSync } from 'node:fs';

/** Metadata of a file: while the stamp is the same, so is the file. Empty if there is no file. */
export function fileStamp(path: string): string {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stat ? stampOf(stat) : '';
}

/** Same, from existing stats. */
export function stampOf({ dev, ino, mode, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, mode, size, mtimeNs, ctimeNs].join(':');
}

/** Two changes within one tick of the file system's clock leave the same stamp. */
const SETTLED_AFTER_MS = 100;

/** Whether a later change will have another stamp. */
export function isSettled({ ctimeMs }: Pick<BigIntStats, 'ctimeMs'>, now = Date.now()): boolean {
  return now - Number(ctimeMs) > SETTLED_AFTER_MS;
}

/** Does not follow a link, and does not wait for a pipe. */
const FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/**
 * The earliest time that a file changed from now on can have. The clock of file systems lags behind `Date.now()` by a tick,
 * and by more on a virtual machine that loses CPU time.
 */
export function fileClock(path: string): number {
  const now = Date.now();
  try {
    const descriptor = openSync(path, FLAGS, 0o600);
    try {
      futimesSync(descriptor, now / 1000, now / 1000);
      return Math.min(now, Math.floor(fstatSync(descriptor).ctimeMs));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // Safe: on a full disk the system clock is exact to a tick.
    return now;
  }
}
