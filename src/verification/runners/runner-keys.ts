import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { readReportFile } from './read-report-file.ts';
import { KEY_FILE, type ReportsFolder } from './reports-folder.ts';

/** One command may start this many test runners, one after another or at once. */
const MOST_RUNNERS = 5000;

export interface TakenKeys {
  /** The secrets that runners sealed their records with, by their public names. */
  secrets: ReadonlyMap<string, string>;
  /** False if the key file is gone or holds what no runner would have left there. */
  intact: boolean;
}

/**
 * Finds out which keys were taken. A runner's main process takes the key before any code of the project runs, and puts
 * a digest of it in its place for the next runner, so that a test finds the next key and never the one of the runner
 * that it runs in. Thus it can neither write nor replace a record of that runner, and a record that it removes is
 * missed. What it can do is take a further key and add a record: worth as much as a test that checks nothing, since
 * results add up and a failure of the same name wins.
 *
 * It holds for vitest with workers, jest with workers and `node --test`. Code that shares a process with the runner
 * (jest --runInBand, a file run by itself, configs and reporters) can do what the runner can, and so can a worker that
 * lies to it.
 */
export async function takenKeys({ path, firstKey }: ReportsFolder): Promise<TakenKeys> {
  const file = await readReportFile(join(path, KEY_FILE));
  const current = file.ok ? file.value : undefined;
  const secrets = new Map<string, string>();
  let key = firstKey;
  while (key !== current && secrets.size < MOST_RUNNERS) {
    secrets.set(digest('name', key), digest('seal', key));
    key = digest('next', key);
  }
  return { secrets, intact: key === current };
}

/** As in tap/seal.cjs. */
function digest(purpose: 'name' | 'seal' | 'next', key: string): string {
  return createHash('sha256').update(`${purpose}:${key}`).digest('hex');
}
