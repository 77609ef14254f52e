import { lstatSync, readFileSync } from 'node:fs';

/** More than any one-line file needs. */
const MAX_BYTES = 4096;

/** The first line of a small file; undefined if it is missing or not a regular file. */
export function firstLine(path: string): string | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile() || stat.size > MAX_BYTES) return undefined;
  return readFileSync(path, 'utf8').split('\n', 1)[0];
}
