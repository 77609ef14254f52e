import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { GuardKitError } from '../../../src/guardkit-error.ts';
import { migrateEngine } from '../../../src/orchestration/queue/engine.ts';
import { loadDbos } from '../../../src/orchestration/queue/load-dbos.ts';
import { QueueTender } from '../../../src/orchestration/queue/tend-queue.ts';
import type { PostgresDatabase } from '../../../src/store/postgres/postgres-database.ts';
import { migrateQueue, openQueueDatabase } from '../../../src/store/shared/open-queue-database.ts';
import { addWorker, isAlive } from '../../../src/store/shared/workers.ts';
import { createDatabase, queryPostgres, type TestDatabase } from '../../support/postgres.ts';

let server: TestDatabase;
let database: PostgresDatabase;
beforeAll(async () => {
  server = await createDatabase();
  await migrateQueue(server.url);
  await migrateEngine(await loadDbos(), server.url);
  database = await openQueueDatabase(server.url);
});
afterAll(async () => {
  await database.close();
  await server.cleanup();
});

/** The server answers nothing for the first queries. */
function awayAtFirst(queries: number): PostgresDatabase {
  let left = queries;
  const query: PostgresDatabase['query'] = async (asked) => {
    if (left-- > 0)
      throw new GuardKitError({ code: 'store.unreachable', kind: 'outside', message: 'away', hint: '' });
    return database.query(asked);
  };
  const transaction = database.transaction.bind(database);
  return Object.assign(Object.create(database) as PostgresDatabase, { query, transaction });
}

it('[MANY-3] after the server was away, silent workers get the time to report before they count as dead', async () => {
  await addWorker(database, { id: 'silent', host: 'a', pid: 1, version: '1', projects: [], concurrency: 1 });
  await queryPostgres(server.url, "UPDATE guardkit_queue.worker SET beat_at = now() - interval '1 hour'");
  const engine = { enqueue: async () => true, recover: async () => {}, stop: async () => {} };
  const seen = { database: awayAtFirst(1), engine };
  const tender = new QueueTender(seen, { worker: 'own', projects: [], isBusy: () => false });
  onTestFinished(() => tender.stop());
  const began = performance.now();
  tender.start();
  while (await isAlive(database, 'silent')) await new Promise((later) => setTimeout(later, 50));
  expect(performance.now() - began).toBeGreaterThan(4500);
});
