import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { DBOS_VERSION, loadDbos } from '../../../src/orchestration/queue/load-dbos.ts';

interface Package {
  version: string;
  peerDependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

const read = (path: string) =>
  JSON.parse(readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')) as Package;

it('[MANY-3] the installed engine is the tested version, and still has the parts that are not public', async () => {
  const own = read('package.json');
  expect(own.peerDependencies['@dbos-inc/dbos-sdk']).toBe(DBOS_VERSION);
  expect(own.devDependencies['@dbos-inc/dbos-sdk']).toBe(DBOS_VERSION);
  expect(read('node_modules/@dbos-inc/dbos-sdk/package.json').version).toBe(DBOS_VERSION);
  const loaded = await loadDbos();
  expect(typeof loaded.DBOS.registerWorkflow).toBe('function');
  expect(typeof loaded.DBOSClient.create).toBe('function');
  const name = '@dbos-inc/dbos-sdk/internal/dbos-executor';
  const { DBOSExecutor } = (await import(name)) as { DBOSExecutor: { prototype: Record<string, unknown> } };
  expect(typeof DBOSExecutor.prototype.recoverPendingWorkflows).toBe('function');
  const queues = '@dbos-inc/dbos-sdk/internal/wfqueue';
  const { wfQueueRunner } = (await import(queues)) as { wfQueueRunner: { constructor: object } };
  expect(wfQueueRunner.constructor).toHaveProperty('defaultMaxPollingIntervalMs', 500);
  // Before the engine was started there is nothing to recover with; that must not pass silently.
  await expect(loaded.recover(['somebody'])).rejects.toMatchObject({ code: 'queue.engine-broken' });
});

it('a missing engine is reported with the command that installs it', async () => {
  const missing = Object.assign(new Error('not found'), { code: 'ERR_MODULE_NOT_FOUND' });
  const failed = loadDbos(() => Promise.reject(missing));
  await expect(failed).rejects.toMatchObject({
    code: 'queue.engine-missing',
    kind: 'outside',
    hint: expect.stringContaining(`@dbos-inc/dbos-sdk@${DBOS_VERSION}`),
  });
});
