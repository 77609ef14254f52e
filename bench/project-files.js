import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Options that make git commit without a person's settings. */
export const AS_BENCH = ['-c', 'user.name=b', '-c', 'user.email=b@b'];

/** Writes a project's files and creates their folders. */
export function writerIn(root) {
  return (path, text) => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
  };
}
