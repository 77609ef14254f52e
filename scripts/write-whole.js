import { renameSync, writeFileSync } from 'node:fs';

/** Whoever reads the file finds it whole, as it was or as it is now. `finish` is done to it before it has its name. */
export function writeWhole(file, content, finish = () => {}) {
  const temporary = `${file}.${process.pid}.tmp`;
  writeFileSync(temporary, content);
  finish(temporary);
  renameSync(temporary, file);
}
