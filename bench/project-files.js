import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Options by which git commits without a person's settings. */
export const AS_BENCH = ['-c', 'user.name=b', '-c', 'user.email=b@b'];

/** Writes files of a project, with the folders that they need. */
export function writerIn(root) {
  return (path, text) => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
  };
}
