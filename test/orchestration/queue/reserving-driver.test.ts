import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AgentDriver, AgentRequest } from '../../../src/orchestration/drivers/agent-driver.ts';
import { reservingDriver } from '../../../src/orchestration/queue/reserving-driver.ts';
import type { PostgresDatabase } from '../../../src/store/postgres/postgres-database.ts';
import { migrateQueue, openQueueDatabase } from '../../../src/store/shared/open-queue-database.ts';
import { addItem } from '../../../src/store/shared/queue-items.ts';
import { addSharedProject, setBudget } from '../../../src/store/shared/shared-projects.ts';
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
});
afterAll(async () => {
  await database.close();
  await server.cleanup();
});

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
