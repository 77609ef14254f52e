import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** One command may start this many test runners, one after another or at once; a workspace does. */
const MOST_RUNNERS = 256;

/** A folder outside of the worktree that the runners of one command leave their records in. */
export interface ReportsFolder {
  path: string;
  /**
   * Each runner takes one key and removes its file before any code of the project runs, and seals its record with it.
   * So a test can neither write nor replace a record of the runner it runs in; removing one leaves a taken key without
   * a record, which is seen. What it can do is take a further key and add a record, which is worth as much as adding a
   * test that checks nothing: results add up, and a failure of the same name wins.
   */
  keys: ReadonlyMap<string, string>;
}

/** Makes the folder ready for one run of one command; it must be new. */
export function prepareReports(path: string): ReportsFolder {
  const keys = new Map<string, string>();
  mkdirSync(join(path, 'keys'), { recursive: true, mode: 0o700 });
  for (let count = 0; count < MOST_RUNNERS; count += 1) {
    const id = randomBytes(8).toString('hex');
    const secret = randomBytes(32).toString('hex');
    // Not atomic, since nobody reads it before the command starts, which is after this.
    writeFileSync(join(path, 'keys', id), secret, { flag: 'wx', mode: 0o600 });
    keys.set(id, secret);
  }
  return { path, keys };
}
