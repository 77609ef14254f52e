import { execFileSync } from 'node:child_process';
import { statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fileClock } from '../../../src/platform/files/file-stamp.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

it('is never later than the change time of a file that is written right after it', () => {
  const folder = temporaryFolder();
  const file = join(folder, 'file');
  for (let round = 0; round < 500; round++) {
    const now = fileClock(join(folder, 'clock'));
    writeFileSync(file, String(round));
    expect(Math.floor(statSync(file).ctimeMs)).toBeGreaterThanOrEqual(now);
  }
});

it('neither waits for a pipe nor follows a link in the place of its file', () => {
  const folder = temporaryFolder();
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  writeFileSync(join(folder, 'target'), 'kept');
  symlinkSync(join(folder, 'target'), join(folder, 'link'));
  const before = statSync(join(folder, 'target')).ctimeMs;
  for (const name of ['pipe', 'link']) expect(fileClock(join(folder, name))).toBeGreaterThan(0);
  expect(statSync(join(folder, 'target')).ctimeMs).toBe(before);
});
