import { hash } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from '../../platform/files/atomic-file.ts';
import type { FeatureListContext } from './known-list.ts';

/**
 * Notes the list that GuardKit is about to write. Beside the ledger: where its writer is killed, the ledger takes back what
 * the file shows already, and nobody else is to blame for that.
 */
export function noteListText(context: FeatureListContext, bytes: Buffer): void {
  // A file system that waits for the disk where one file takes the place of another does not then.
  forgetListText(context);
  writeFileAtomic(notePath(context), hash('sha256', bytes), undefined, { lasting: false });
}

/** Whether a list that the ledger does not know is one whose writer was cut off. */
export function isOwnListText(context: FeatureListContext, bytes: Buffer): boolean {
  try {
    return readFileSync(notePath(context), 'utf8') === hash('sha256', bytes);
  } catch {
    // Safe: without the note it is somebody else's, which is the stricter of the two.
    return false;
  }
}

/** Somebody else's list stands now; to go back to the one before it is their doing too. */
export function forgetListText(context: FeatureListContext): void {
  rmSync(notePath(context), { force: true });
}

function notePath({ dataFolder, project, checkout }: FeatureListContext): string {
  return join(dataFolder, 'lists', hash('sha256', `${project}\n${checkout}`).slice(0, 32));
}
