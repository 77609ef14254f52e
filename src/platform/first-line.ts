import { lstatSync, readFileSync } from 'node:fs';

/** More than any file of one line has. */
const MAX_BYTES = 4096;

/** The first line of a small file; undefined where there is none, or it is anything but a file. */
export function firstLine(path: string): string | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile() || stat.size > MAX_BYTES) return undefined;
  return readFileSync(path, 'utf8').split('\n', 1)[0];
}
