import { type BigIntStats, closeSync, constants, fstatSync, futimesSync, lstatSync, openSync } from 'node:fs';

/** What the system tells of a file without reading it: as long as it is the same, so is the file. Empty where there is none. */
export function fileStamp(path: string): string {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stat ? stampOf(stat) : '';
}

/** The same of a file that was looked at already. */
export function stampOf({ dev, ino, mode, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, mode, size, mtimeNs, ctimeNs].join(':');
}

/** Neither a link nor a pipe in its place leads elsewhere or makes it wait. */
const FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/**
 * The time that a file changed from now on will carry at least. File systems take it from a clock that lags behind
 * `Date.now()` by a tick, and by more on a machine whose processors are taken away from it for a while.
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
    // Safe: on a full disk the usual clock is right to a tick.
    return now;
  }
}
