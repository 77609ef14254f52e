import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../platform/files/make-folder.ts';

export const KEY_FILE = 'key';

/** A folder outside the worktree for the records of one command's test runners. */
export interface ReportsFolder {
  path: string;
  /** The initial content of the key file; see `takenKeys`. */
  firstKey: string;
}

/** Prepares a new folder for one run of one command, of all its tests or of the selected files. */
export function prepareReports(path: string, selection?: TestSelection): ReportsFolder {
  const firstKey = randomBytes(32).toString('hex');
  makeFolder(path, 0o700);
  // Not atomic: nobody reads it before the command starts.
  writeFileSync(join(path, KEY_FILE), firstKey, { flag: 'wx', mode: 0o600 });
  if (selection) writeSelection(path, selection);
  return { path, firstKey };
}

/** In the reports folder; see `writeSelection`. */
export const SELECTION_FILE = 'select';

/**
 * The test files that a run is limited to. A runner that cannot be limited without changing its command line runs its
 * whole suite, so the results may contain more tests.
 */
export interface TestSelection {
  /** The tree that the command runs on. */
  root: string;
  /** Test files, relative to `root`. */
  select: readonly string[];
}

/** Writes the selection for the taps. */
function writeSelection(reportsFolder: string, { root, select }: TestSelection): void {
  const files = select.map((file) => join(root, file));
  // Not atomic: the command that reads it has not started yet.
  writeFileSync(join(reportsFolder, SELECTION_FILE), JSON.stringify(files), { flag: 'wx', mode: 0o600 });
}
