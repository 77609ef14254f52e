import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder that is gone after the test. */
export function temporaryFolder(finished: (remove: () => void) => void = onTestFinished): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'guardkit-test-'));
  finished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
