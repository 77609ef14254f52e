// Takes out of a folder what this build did not make.
import { mkdirSync, readdirSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The time by the clock that stamps the files in a folder, which need not be this machine's. */
export function timeIn(folder) {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `began.${process.pid}.tmp`);
  writeFileSync(file, '');
  const { ctimeMs } = statSync(file);
  rmSync(file);
  return ctimeMs;
}

/**
 * Removes what came to its place before this build began and is not kept. What is younger is this build's, or one's that
 * runs beside it. Decided by the change time, which nobody can set.
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

/** Another build may have removed it meanwhile. */
function isOlder(path, began) {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat !== undefined && stat.ctimeMs < began;
}
