import { renameSync, writeFileSync } from 'node:fs';

/** Atomic: readers see the old or the new content. */
export function writeWhole(file, content) {
  const temporary = `${file}.${process.pid}.tmp`;
  writeFileSync(temporary, content);
  renameSync(temporary, file);
}
