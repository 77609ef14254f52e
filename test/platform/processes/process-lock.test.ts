import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, expect, it } from 'vitest';
import { tryLock } from '../../../src/platform/processes/process-lock.ts';
import { Sandbox } from '../../support/cli.ts';
import { buildWorker } from '../../support/worker.ts';

const sandbox = new Sandbox();
afterAll(() => sandbox.cleanup());

it('a lock is held by one at a time, and can be taken again when it was released', () => {
  const path = sandbox.path('locks', 'one.lock');
  const lock = tryLock(path);
  expect(lock).toBeDefined();
  expect(tryLock(path)).toBeUndefined();
  lock?.release();
  const again = tryLock(path);
  expect(again).toBeDefined();
  again?.release();
});

it('a lock of a process that is killed is free', async () => {
  const path = sandbox.path('locks', 'killed.lock');
  const worker = await buildWorker('test/platform/lock-worker.ts');
  const child = spawn(process.execPath, [worker, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  expect(tryLock(path)).toBeUndefined();
  child.kill('SIGKILL');
  await once(child, 'exit');
  const lock = tryLock(path);
  expect(lock).toBeDefined();
  lock?.release();
});
