import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AgentDriver, AgentRequest } from '../../../src/orchestration/drivers/agent-driver.ts';
import { reservingDriver } from '../../../src/orchestration/queue/reserving-driver.ts';
import type { PostgresDatabase } from '../../../src/store/postgres/postgres-database.ts';
import { reserve, settle, spentUsd } from '../../../src/store/shared/budgets.ts';
import { claimFeature, releaseClaim } from '../../../src/store/shared/claims.ts';
import { migrateQueue, openQueueDatabase } from '../../../src/store/shared/open-queue-database.ts';
import { addItem } from '../../../src/store/shared/queue-items.ts';
import { addSharedProject, setBudget } from '../../../src/store/shared/shared-projects.ts';
import { addWorker, endWorker } from '../../../src/store/shared/workers.ts';
import { createDatabase, type TestDatabase } from '../../support/postgres.ts';

const PROJECT = 'calc-1234';
let server: TestDatabase;
let database: PostgresDatabase;
let item = 0;
beforeAll(async () => {
  server = await createDatabase();
  await migrateQueue(server.url);
  database = await openQueueDatabase(server.url);
  const of = { identity: 'root', branch: 'guardkit/run-1', base: 'a'.repeat(40) };
  await addSharedProject(database, { project: PROJECT, ...of });
  const added = { project: PROJECT, feature: 'FEAT-A', priority: 1, budgetUsd: undefined, needs: [] };
  item = (await addItem(database, added))?.id ?? 0;
  await claimed('FEAT-A', 'one');
});
afterAll(async () => {
  await database.close();
  await server.cleanup();
});

async function claimed(feature: string, worker: string) {
  await addWorker(database, { id: worker, host: 'a', pid: 1, version: '1', projects: [], concurrency: 1 });
  return claimFeature(database, { project: PROJECT, feature, worker });
}

/** Costs 10 cents, and is stopped if it may not. */
const agent: AgentDriver = {
  name: 'costly',
  async run({ budgetUsd = 1 }) {
    const usage = { inputTokens: 1, outputTokens: 1, costUsd: Math.min(0.1, budgetUsd) };
    const end =
      budgetUsd < 0.1
        ? ({ type: 'over_budget', why: 'too little' } as const)
        : ({ type: 'answered', answer: 'done' } as const);
    return { end, session: undefined, usage };
  },
};

const request = { role: 'player', budgetUsd: undefined } as AgentRequest;
const run = (usd: number) =>
  reservingDriver(agent, database, { project: PROJECT, feature: 'FEAT-A', worker: 'one', usd, item }).run(
    request,
  );

it('[MANY-3] an agent that the end of the shared budget stops has not failed', async () => {
  await setBudget(database, PROJECT, 0.25);
  expect(await run(1)).toMatchObject({ end: { type: 'answered' } });
  expect(await run(1)).toMatchObject({ end: { type: 'answered' } });
  expect(await run(1)).toMatchObject({ end: { type: 'out_of_funds' }, usage: { inputTokens: 1 } });
  // Nothing is left, so the agent is not even started.
  expect(await run(1)).toMatchObject({ end: { type: 'out_of_funds' }, usage: { inputTokens: 0 } });
});

it('[MANY-3] an agent that needs more than one reservation is over budget', async () => {
  await setBudget(database, PROJECT, 10);
  expect(await run(0.05)).toMatchObject({ end: { type: 'over_budget' } });
});

it('[MANY-3] an agent waits while the rest of the budget is reserved for another feature', async () => {
  const spent = await spentUsd(database, PROJECT);
  await setBudget(database, PROJECT, spent + 1);
  const other = { project: PROJECT, feature: 'FEAT-B', worker: 'two' };
  const claim = await claimed('FEAT-B', 'two');
  const added = { project: PROJECT, feature: 'FEAT-B', priority: 1, budgetUsd: undefined, needs: [] };
  const reserved = await reserve(database, {
    ...other,
    usd: 1,
    item: (await addItem(database, added))?.id ?? 0,
  });
  const asked = { project: PROJECT, feature: 'FEAT-A', worker: 'one', usd: 1, item };
  expect(await reserve(database, asked)).toMatchObject({ ok: false, isPending: true });
  const waiting = run(1);
  await settle(database, reserved.ok ? (reserved.id ?? 0) : 0, 0.5);
  expect(await waiting).toMatchObject({ end: { type: 'answered' } });
  // A dead worker's reservation counts as spent.
  await reserve(database, { ...other, usd: 1, item });
  await releaseClaim(database, claim);
  expect(await reserve(database, asked)).toMatchObject({ ok: false, isPending: false });
});

it('[MANY-3] a worker that was declared dead, or lost the feature, reserves nothing and starts no agent', async () => {
  await setBudget(database, PROJECT, 100);
  const spent = await spentUsd(database, PROJECT);
  const refusal = { code: 'queue.claim-lost' };
  await endWorker(database, 'one', 'hung');
  await expect(run(1)).rejects.toMatchObject(refusal);
  await claimed('FEAT-A', 'three');
  await expect(run(1)).rejects.toMatchObject(refusal);
  expect(await spentUsd(database, PROJECT)).toBe(spent);
});
