import { type BigIntStats, lstatSync } from 'node:fs';

/** What the system tells of a file without reading it: as long as it is the same, so is the file. Empty where there is none. */
export function fileStamp(path: string): string {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stat ? stampOf(stat) : '';
}

/** The same of a file that was looked at already. */
export function stampOf({ dev, ino, mode, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, mode, size, mtimeNs, ctimeNs].join(':');
}
