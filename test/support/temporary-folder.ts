import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Removes a folder in which a process that is about to end may still write. */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
}

/** A folder that is gone after the test. */
export function temporaryFolder(finished: (remove: () => void) => void = onTestFinished): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'guardkit-test-'));
  finished(() => removeFolder(folder));
  return folder;
}
