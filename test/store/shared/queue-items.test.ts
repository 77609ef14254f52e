import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { PostgresDatabase } from '../../../src/store/postgres/postgres-database.ts';
import { HUNG_MS, type ReservationRequest, reserve } from '../../../src/store/shared/budgets.ts';
import { claimFeature } from '../../../src/store/shared/claims.ts';
import { migrateQueue, openQueueDatabase } from '../../../src/store/shared/open-queue-database.ts';
import { addItem, findItem, markQueued, moveItem } from '../../../src/store/shared/queue-items.ts';
import { addSharedProject, setBudget } from '../../../src/store/shared/shared-projects.ts';
import { addWorker } from '../../../src/store/shared/workers.ts';
import { createDatabase, type TestDatabase } from '../../support/postgres.ts';
import { further } from '../../support/thorough.ts';

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

async function added(feature: string): Promise<number> {
  const item = await addItem(database, {
    project: PROJECT,
    feature,
    priority: 1,
    budgetUsd: undefined,
    needs: [],
  });
  if (!item) throw new Error('the feature is queued already');
  return item.id;
}

it('[MANY-2] an item keeps its workflow if a worker takes it before it is marked as queued', async () => {
  const id = await added('FEAT-A');
  await moveItem(database, id, { to: 'building', workflow: 'w-0' });
  await markQueued(database, id, 'w-0');
  expect(await findItem(database, id)).toMatchObject({ state: 'building', workflow: 'w-0', tries: 1 });
  await moveItem(database, id, { to: 'waiting' });
  await markQueued(database, id, 'w-1');
  expect(await findItem(database, id)).toMatchObject({ state: 'queued', workflow: 'w-1', tries: 2 });
  await moveItem(database, id, { to: 'cancelled' });
  await markQueued(database, id, 'w-2');
  expect(await findItem(database, id)).toMatchObject({ state: 'cancelled', workflow: 'w-1' });
});

/** A worker that hangs as soon as it has the lock, until the test is over. */
function hanging(locked: () => void): PostgresDatabase {
  const transaction: PostgresDatabase['transaction'] = (work) =>
    database.transaction((session) =>
      work({
        async query(query) {
          const rows = await session.query(query);
          if (!query.text.includes('pg_advisory_xact_lock')) return rows as never;
          locked();
          return new Promise((_, wakeUp) => onTestFinished(() => wakeUp(new Error('woken'))));
        },
      }),
    );
  return Object.assign(Object.create(database) as PostgresDatabase, {
    transaction,
    query: database.query.bind(database),
  });
}

further('[MANY-3] a worker that hangs while it reserves money does not hold up the others', async () => {
  const item = await added('FEAT-B');
  await setBudget(database, PROJECT, 10);
  await addWorker(database, { id: 'two', host: 'a', pid: 1, version: '1', projects: [], concurrency: 1 });
  await claimFeature(database, { project: PROJECT, feature: 'FEAT-B', worker: 'two' });
  const asked: ReservationRequest = { project: PROJECT, feature: 'FEAT-B', worker: 'one', usd: 1, item };
  await new Promise<void>((locked) => void reserve(hanging(locked), asked).catch(() => undefined));
  const began = performance.now();
  expect(await reserve(database, { ...asked, worker: 'two' })).toMatchObject({ ok: true, usd: 1 });
  // Others give up on a lock after ten seconds.
  expect(performance.now() - began).toBeLessThan(HUNG_MS + 5000);
});
