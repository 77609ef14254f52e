import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  futimesSync,
  lstatSync,
  openSync,
  readFileSync,
  statSync,
} from 'node:fs';

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

const MAX_KEPT = 1000;
const MAX_BYTES = 256 * 1024;

const kept = new Map<string, { stamp: string; text: string }>();

/**
 * The text of a file, which is read again only if the file changed; undefined without one. By default a link is followed:
 * its target may change while the link stays the same.
 */
export function keptText(
  file: string | Buffer,
  stat = statSync(file, { bigint: true, throwIfNoEntry: false }),
): string | undefined {
  if (!stat) return undefined;
  const path = typeof file === 'string' ? file : file.toString('latin1');
  const stamp = stampOf(stat);
  const last = kept.get(path);
  if (last?.stamp === stamp) return last.text;
  const text = readFileSync(file, 'utf8');
  kept.delete(path);
  if (isSettled(stat) && stat.isFile() && text.length <= MAX_BYTES) {
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(path, { stamp, text });
  }
  return text;
}
