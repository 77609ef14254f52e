import { lstatSync } from 'node:fs';

/** What the system tells of a file without reading it: as long as it is the same, so is the file. Empty where there is none. */
export function fileStamp(path: string): string {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (!stat) return '';
  const { dev, ino, mode, size, mtimeNs, ctimeNs } = stat;
  return [dev, ino, mode, size, mtimeNs, ctimeNs].join(':');
}
