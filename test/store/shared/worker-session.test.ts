import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PostgresDatabase } from '../../../src/store/postgres/postgres-database.ts';
import { claimFeature } from '../../../src/store/shared/claims.ts';
import { migrateQueue, openQueueDatabase } from '../../../src/store/shared/open-queue-database.ts';
import { addSharedProject } from '../../../src/store/shared/shared-projects.ts';
import { WorkerSession } from '../../../src/store/shared/worker-session.ts';
import {
  addressOf,
  addWorker,
  beat,
  endSessionsOfDead,
  endWorker,
  findOtherVersion,
  listWorkers,
  reapWorkers,
} from '../../../src/store/shared/workers.ts';
import { createDatabase, queryPostgres, type TestDatabase } from '../../support/postgres.ts';
import { further } from '../../support/thorough.ts';

const THREAD = fileURLToPath(new URL('../../../dist/session-worker.cjs', import.meta.url));

let server: TestDatabase;
let database: PostgresDatabase;
beforeAll(async () => {
  server = await createDatabase();
  await migrateQueue(server.url);
  database = await openQueueDatabase(server.url);
});
afterAll(async () => {
  await database.close();
  await server.cleanup();
});

const worker = (id: string) => ({ id, host: 'here', pid: 1, version: '1', projects: [], concurrency: 1 });

async function died(id: string): Promise<string | null> {
  for (;;) {
    await reapWorkers(database, 'nobody');
    const row = (await listWorkers(database)).find((one) => one.id === id);
    if (row?.ended_at) return row.why;
    await sleep(50);
  }
}

it('[MANY-3] a worker whose connection is gone is declared dead after two seconds, and learns it', async () => {
  let dead = 0;
  const session = await WorkerSession.start(
    { url: server.url, database, thread: THREAD },
    worker('killed'),
    () => {
      dead += 1;
    },
  );
  const began = performance.now();
  // The server ends what belongs to a process that is gone, and this process cannot connect as that worker again.
  await session.end('killed');
  await queryPostgres(
    server.url,
    "UPDATE guardkit_queue.worker SET ended_at = NULL, why = NULL WHERE id = 'killed'",
  );
  expect(await died('killed')).toBe('connection closed');
  expect(performance.now() - began).toBeGreaterThan(1900);
  expect(await beat(database, 'killed')).toBe(false);
  expect(dead).toBe(0);
});

it('[MANY-3] the sessions of a worker that was declared dead are ended, and those of others are not', async () => {
  const [dead, alive] = [`${'h'.repeat(60)}-1-aaaaaa`, `${'h'.repeat(60)}-2-bbbbbb`];
  for (const id of [dead, alive]) await addWorker(database, worker(id));
  const clients = [dead, alive].map((id) => new pg.Client(addressOf(server.url, id)));
  // As if it hung in the middle of a transaction.
  const ended = clients.map((client) => new Promise((settle) => client.on('error', settle)));
  for (const client of clients) {
    await client.connect();
    await client.query('BEGIN');
  }
  await endWorker(database, dead, 'no heartbeat');
  await endSessionsOfDead(database);
  await ended[0];
  expect((await clients[1]?.query('SELECT 1'))?.rowCount).toBe(1);
  await clients[1]?.end();
  await endWorker(database, alive, 'ended');
});

further('[MANY-3] a worker that lives takes its lock again after the server cut its connection', async () => {
  const session = await WorkerSession.start(
    { url: server.url, database, thread: THREAD },
    worker('cut'),
    () => {},
  );
  const cut =
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'guardkit worker cut'";
  expect(await queryPostgres(server.url, cut)).toHaveLength(1);
  for (const end = performance.now() + 3000; performance.now() < end; await sleep(100))
    expect(await reapWorkers(database, 'nobody')).not.toContain('cut');
  await session.end('ended');
});

further('[MANY-3] a worker that is declared dead is told at its next heartbeat', async () => {
  const told = new Promise<void>((settle) => {
    void WorkerSession.start({ url: server.url, database, thread: THREAD }, worker('told'), settle);
  });
  const declare = "UPDATE guardkit_queue.worker SET ended_at = now() WHERE id = 'told' RETURNING id";
  while ((await queryPostgres(server.url, declare)).length === 0) await sleep(20);
  await told;
});

further('[MANY-3] a worker learns that another one has taken its feature over', async () => {
  const session = await WorkerSession.start(
    { url: server.url, database, thread: THREAD },
    worker('taken from'),
    () => {},
  );
  await addWorker(database, worker('taker'));
  await addSharedProject(database, { project: 'taken', identity: 'i', branch: 'b', base: 'c' });
  const claims = await Promise.all(
    ['FEAT-1', 'FEAT-2'].map((feature) =>
      claimFeature(database, { project: 'taken', feature, worker: 'taken from' }),
    ),
  );
  const [taken, kept] = claims.map((claim) => session.watch(claim).signal);
  await claimFeature(database, { project: 'taken', feature: 'FEAT-1', worker: 'taker' });
  await once(taken as AbortSignal, 'abort');
  expect(kept?.aborted).toBe(false);
  await session.end('ended');
  await endWorker(database, 'taker', 'ended');
});

further('[MANY-3] a worker that is busy for seconds is not declared dead', async () => {
  const session = await WorkerSession.start(
    { url: server.url, database, thread: THREAD },
    worker('busy'),
    () => {},
  );
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 7000);
  expect(await reapWorkers(database, 'nobody')).not.toContain('busy');
  await session.end('ended');
});

it('[MANY-3] a worker whose lock is free has closed its connection, however late the others look', async () => {
  await addWorker(database, worker('unseen'));
  await queryPostgres(
    server.url,
    "UPDATE guardkit_queue.worker SET free_at = now() - interval '1 minute', beat_at = now() - interval '1 minute' WHERE id = 'unseen'",
  );
  expect(await died('unseen')).toBe('connection closed');
});

it('[MANY-3] a worker that is silent is not shown as alive, even if no other one declares it dead', async () => {
  await addWorker(database, worker('last'));
  const find = async () => (await listWorkers(database)).find(({ id }) => id === 'last');
  expect(await find()).toMatchObject({ ended_at: null, why: null });
  await queryPostgres(
    server.url,
    "UPDATE guardkit_queue.worker SET beat_at = now() - interval '1 minute' WHERE id = 'last'",
  );
  expect(await find()).toMatchObject({ ended_at: expect.any(Date), why: 'no heartbeat', building: [] });
});

it('[MANY-2] of two workers with different versions that start at the same time, the first one stays', async () => {
  const of = (id: string, version: string) => ({ ...worker(id), version, projects: ['versions'] });
  const first = await addWorker(database, of('first', '1'));
  const second = await addWorker(database, of('second', '2'));
  const otherThan = (version: string, lock: number) =>
    findOtherVersion(database, 'versions', { version, lock });
  expect(await otherThan('1', first)).toBeUndefined();
  expect(await otherThan('2', second)).toMatchObject({ version: '1' });
  await endWorker(database, 'first', 'ended');
  expect(await otherThan('2', second)).toBeUndefined();
});

/** The server as through a pooler, which makes up the process number of a connection. */
async function pooled(schema: string, backend: string): Promise<string> {
  await queryPostgres(
    server.url,
    `CREATE SCHEMA ${schema};
     CREATE FUNCTION ${schema}.pg_backend_pid() RETURNS integer LANGUAGE sql AS 'SELECT ${backend}'`,
  );
  const url = new URL(server.url);
  url.searchParams.set('options', `-c search_path=${schema},pg_catalog`);
  return url.href;
}

it('[MANY-3] a pooler whose connections share a session of the server is refused', async () => {
  const url = await pooled('by_transaction', '42');
  const started = WorkerSession.start({ url, database, thread: THREAD }, worker('pooled'), () => {});
  await expect(started).rejects.toMatchObject({ code: 'queue.pooled' });
  expect((await listWorkers(database)).find(({ id }) => id === 'pooled')).toBeUndefined();
});

it('[MANY-3] a pooler that keeps a session for each connection is accepted', async () => {
  const url = await pooled('by_session', '1000000 + pg_catalog.pg_backend_pid()');
  const session = await WorkerSession.start({ url, database, thread: THREAD }, worker('session'), () => {});
  await session.end('ended');
});
