import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, type TestContext } from 'vitest';

/** A file system of that size for one test, or a skip that says why there is none. */
export function smallVolume(context: TestContext, size: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'guardkit-volume-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder], { stdio: 'pipe' });
  } catch (error) {
    rmSync(folder, { recursive: true });
    const reason = error instanceof Error ? error.message.trim() : String(error);
    context.skip(`a small volume cannot be mounted here: ${reason}`);
  }
  onTestFinished(() => {
    // Lazily, since a store that the test opened may be closed after this.
    execFileSync('umount', ['--lazy', folder]);
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** Takes the right to write in a folder away: by its mode, or where root ignores that, by mounting it anew. */
export function makeReadOnly(context: TestContext, fill: (folder: string) => void): string {
  if (process.getuid?.() === 0) {
    const folder = smallVolume(context, '4m');
    fill(folder);
    execFileSync('mount', ['-o', 'remount,ro', folder]);
    return folder;
  }
  const folder = mkdtempSync(join(tmpdir(), 'guardkit-read-only-'));
  fill(folder);
  chmodSync(folder, 0o500);
  onTestFinished(() => {
    chmodSync(folder, 0o700);
    rmSync(folder, { recursive: true });
  });
  return folder;
}
