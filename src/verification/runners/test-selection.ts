import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** In the reports folder; see `writeSelection`. */
export const SELECTION_FILE = 'select';

/**
 * The test files that a run is limited to. A runner that cannot be limited without changing its command line runs its
 * whole suite, so the results may name more tests than these files have.
 */
export interface TestSelection {
  /** The tree that the command runs on. */
  root: string;
  /** Test files, relative to `root`. */
  select: readonly string[];
}

/** Leaves the selection where the taps find it. */
export function writeSelection(reportsFolder: string, { root, select }: TestSelection): void {
  const files = select.map((file) => join(root, file));
  // Not atomic, since the command that reads it has not started yet.
  writeFileSync(join(reportsFolder, SELECTION_FILE), JSON.stringify(files), { flag: 'wx', mode: 0o600 });
}
