import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestSelection, writeSelection } from './test-selection.ts';

export const KEY_FILE = 'key';

/** A folder outside of the worktree that the test runners of one command leave their records in. */
export interface ReportsFolder {
  path: string;
  /** What was in the key file at first; see `takenKeys`. */
  firstKey: string;
}

/** Makes a new folder ready for one run of one command, of all its tests or of the selected files. */
export function prepareReports(path: string, selection?: TestSelection): ReportsFolder {
  const firstKey = randomBytes(32).toString('hex');
  mkdirSync(path, { recursive: true, mode: 0o700 });
  // Not atomic, since nobody reads it before the command starts, which is after this.
  writeFileSync(join(path, KEY_FILE), firstKey, { flag: 'wx', mode: 0o600 });
  if (selection) writeSelection(path, selection);
  return { path, firstKey };
}
