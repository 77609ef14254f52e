import { readFileSync } from 'node:fs';
import { toBytePath } from './byte-path.ts';

/** Whether a list of mounts makes a path read-only. A path that did not exist when the list was written has no mount. */
export function readOnlyPaths(list: string): (absolute: string) => boolean {
  const mounts = readMounts(list);
  return (absolute) => {
    const path = toBytePath(absolute);
    // The last mount over a path decides.
    const over = mounts.findLast(({ target }) => path === target || path.startsWith(`${target}/`));
    return over?.readOnly === true;
  };
}

function readMounts(file: string): { target: string; readOnly: boolean }[] {
  let words: string[];
  try {
    words = readFileSync(file, 'latin1').split('\0');
  } catch {
    // Safe: without a list nothing is known to be protected, and changes are judged.
    return [];
  }
  return words.flatMap((word, at) => {
    const target = words[at + 2];
    return /^--(?:ro-)?bind-try$/.test(word) && target !== undefined
      ? [{ target, readOnly: word === '--ro-bind-try' }]
      : [];
  });
}
