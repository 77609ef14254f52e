import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { GuardKitError } from '../../../src/guardkit-error.ts';
import {
  buildItem,
  type WorkerContext,
  type WorkerProject,
} from '../../../src/orchestration/queue/run-worker.ts';
import { openLedger } from '../../../src/store/ledger/open-ledger.ts';
import type { PostgresDatabase } from '../../../src/store/postgres/postgres-database.ts';
import { migrateQueue, openQueueDatabase } from '../../../src/store/shared/open-queue-database.ts';
import { addItem, findItem, moveItem } from '../../../src/store/shared/queue-items.ts';
import { addSharedProject } from '../../../src/store/shared/shared-projects.ts';
import type { WorkerSession } from '../../../src/store/shared/worker-session.ts';
import { addWorker, endWorker } from '../../../src/store/shared/workers.ts';
import { createDatabase, queryPostgres, type TestDatabase } from '../../support/postgres.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const PROJECT = 'calc-1234';
let server: TestDatabase;
let database: PostgresDatabase;
beforeAll(async () => {
  server = await createDatabase();
  await migrateQueue(server.url);
  database = await openQueueDatabase(server.url);
  const of = { identity: 'root', branch: 'guardkit/run-1', base: 'a'.repeat(40) };
  await addSharedProject(database, { project: PROJECT, ...of });
});
afterAll(async () => {
  await database.close();
  await server.cleanup();
});

async function queued(feature: string): Promise<number> {
  const added = { project: PROJECT, feature, priority: 1, budgetUsd: undefined, needs: [] };
  return (await addItem(database, added))?.id ?? 0;
}

/** A worker that others have declared dead: it gets no claim. */
async function deadWorker(id: string): Promise<WorkerContext> {
  await addWorker(database, { id, host: 'here', pid: 1, version: '1', projects: [PROJECT], concurrency: 1 });
  await endWorker(database, id, 'no heartbeat');
  return {
    database,
    session: { id } as WorkerSession,
    projects: new Map([[PROJECT, { project: PROJECT } as WorkerProject]]),
    signal: new AbortController().signal,
    notice() {},
    giveUp() {},
  } as unknown as WorkerContext;
}

/** A worker that others declare dead while it builds; then its build fails for good. */
async function dyingWorker(id: string): Promise<WorkerContext> {
  const worker = await deadWorker(id);
  await queryPostgres(server.url, 'UPDATE guardkit_queue.worker SET ended_at = NULL WHERE id = $1', [id]);
  const ledger = openLedger({ path: join(temporaryFolder(onTestFinished), 'ledger.db') });
  const clone = {
    project: PROJECT,
    openLedger: () => ledger,
    async openRun() {
      await endWorker(database, id, 'no heartbeat');
      throw new GuardKitError({ code: 'work.invalid', kind: 'input', message: 'no', hint: 'no' });
    },
  } as unknown as WorkerProject;
  const session = { id, watch: () => ({ signal: new AbortController().signal, forget() {} }) };
  return Object.assign(worker, {
    session,
    link: { writer() {} },
    projects: new Map([[PROJECT, clone]]),
  });
}

const run = { workflow: 'w', cancelled: new AbortController().signal };

it('[MANY-3] a worker that was declared dead does not end a build for the engine', async () => {
  const id = await queued('FEAT-A');
  const built = buildItem(await deadWorker('dead'), id, run);
  expect(await Promise.race([built, sleep(1000, 'still building')])).toBe('still building');
  expect(await findItem(database, id)).toMatchObject({ state: 'building', ended_at: null });
});

it('[MANY-3] the result of a worker that was declared dead meanwhile does not count', async () => {
  const id = await queued('FEAT-C');
  const built = buildItem(await dyingWorker('dying'), id, run);
  expect(await Promise.race([built, sleep(1000, 'still building')])).toBe('still building');
  expect(await findItem(database, id)).toMatchObject({ state: 'building', ended_at: null });
  expect(await moveItem(database, id, { to: 'stopped', by: 'dying' })).toBe(false);
  expect(await moveItem(database, id, { to: 'stopped' })).toBe(true);
});

it('[MANY-3] a build that a person cancelled ends', async () => {
  const id = await queued('FEAT-B');
  await moveItem(database, id, { to: 'cancelled' });
  expect(await buildItem(await deadWorker('other'), id, run)).toBe('gone');
});
