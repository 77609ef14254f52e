import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { dieWithParent } from '../../../src/platform/processes/die-with-parent.ts';
import { hasEnded } from '../../support/ended.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { buildWorker } from '../../support/worker.ts';

it.skipIf(dieWithParent().length === 0)(
  '[MANY-3] an agent without a sandbox ends with a worker that is killed',
  async () => {
    const cwd = temporaryFolder();
    const worker = spawn(process.execPath, [
      await buildWorker('test/platform/processes/die-with-parent-worker.ts'),
      cwd,
    ]);
    const file = join(cwd, 'shell');
    while (!existsSync(file) || readFileSync(file, 'utf8') === '') await delay(10);
    const shell = Number(readFileSync(file, 'utf8'));
    expect(hasEnded(shell)).toBe(false);
    worker.kill('SIGKILL');
    while (!hasEnded(shell)) await delay(10);
  },
);
