// Removes files from a folder that this build did not create.
import { mkdirSync, readdirSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The current time by the clock of the folder's file system, which may differ from this machine's. */
export function timeIn(folder) {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `began.${process.pid}.tmp`);
  writeFileSync(file, '');
  const { ctimeMs } = statSync(file);
  rmSync(file);
  return ctimeMs;
}

/**
 * Removes files that are older than this build and not kept. Younger files belong to this build or to a concurrent one.
 * Compares change times, which no program can set.
 */
export function removeOthers(folder, began, isKept) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      removeOthers(path, began, isKept);
      if (readdirSync(path).length === 0) rmdirSync(path);
    } else if (!isKept(path) && isOlder(path, began)) {
      rmSync(path, { force: true });
    }
  }
}

/** False if another build has removed it meanwhile. */
function isOlder(path, began) {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat !== undefined && stat.ctimeMs < began;
}
