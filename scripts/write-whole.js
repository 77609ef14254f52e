import { renameSync, writeFileSync } from 'node:fs';

/** Whoever reads the file finds the whole of the old or of the new content. */
export function writeWhole(file, content) {
  const temporary = `${file}.${process.pid}.tmp`;
  writeFileSync(temporary, content);
  renameSync(temporary, file);
}
