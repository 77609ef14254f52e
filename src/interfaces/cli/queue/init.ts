import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { GuardKitError } from '../../../guardkit-error.ts';
import { migrateEngine } from '../../../orchestration/queue/engine.ts';
import { loadDbos } from '../../../orchestration/queue/load-dbos.ts';
import { runBranchOf } from '../../../orchestration/run/run-details.ts';
import type { Ledger } from '../../../store/ledger/ledger.ts';
import type { PostgresDatabase } from '../../../store/postgres/postgres-database.ts';
import { migrateQueue } from '../../../store/shared/open-queue-database.ts';
import { pullChain } from '../../../store/shared/pull-chain.ts';
import { shareLocal, startChain } from '../../../store/shared/share-local.ts';
import {
  addSharedProject,
  findSharedProject,
  requireSharedProject,
  type SharedProject,
  setBudget,
} from '../../../store/shared/shared-projects.ts';
import { usd } from '../feature-build/build-input.ts';
import { plural } from '../output/printable.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';
import { openClone, type QueueClone, withQueue } from './open-queue.ts';

export const init = defineCommand({
  name: 'init',
  summary: 'Set up this project’s queue in PostgreSQL',
  options: [['--budget-usd <n>', 'Spending limit for the project in USD']],
  changes: true,
  schema: z.object({ budgetUsd: usd.optional(), dryRun: z.boolean().default(false) }),
  run: runInit,
});

async function runInit(
  context: CliContext,
  { budgetUsd, dryRun }: { budgetUsd?: number | undefined; dryRun: boolean },
): Promise<Report> {
  const clone = await openClone(context);
  const { url, project } = clone;
  // Loaded first: nothing is created if the engine is missing.
  const dbos = await loadDbos();
  if (dryRun) return { json: { project, changed: false }, text: `Would set up the queue for ${project}.` };
  await migrateQueue(url);
  await migrateEngine(dbos, url);
  // Memory is in the same database; workers may not have the right to create its tables.
  await context.store();
  return withQueue(url, async (database) => {
    const known = await findSharedProject(database, project);
    const ledger = await context.ledger();
    const shared = known
      ? await requireSharedProject(database, project, clone.identity)
      : await create(database, clone);
    if (budgetUsd !== undefined) await setBudget(database, project, budgetUsd);
    const imported = await importOnce(database, ledger, shared);
    const { branch, tip } = shared;
    return {
      json: { project, branch, tip, imported, created: known === undefined },
      text: [
        known ? `The project ${project} is already set up.` : `The project ${project} is set up.`,
        ...(budgetUsd === undefined ? [] : [`Spending limit: $${budgetUsd.toFixed(2)}.`]),
        `Completed features are stacked on ${branch}.`,
        ...(imported > 0 ? [`Imported ${plural(imported, 'record')} from this machine.`] : []),
        'Next: `guardkit queue add FEATURE`, and `guardkit worker` on each machine.',
      ].join('\n'),
    };
  });
}

/** The branch is pushed first: without permission to push there, nothing is created. */
async function create(database: PostgresDatabase, clone: QueueClone): Promise<SharedProject> {
  const { project, identity, repository, remote } = clone;
  const base = await repository.commit('HEAD');
  if (base === undefined)
    throw new GuardKitError({
      code: 'base.no-commits',
      kind: 'input',
      message: 'This repository has no commit yet.',
      hint: 'Commit the project with its .guardkit/config.yaml first.',
    });
  const day = new Date().toISOString().slice(0, 10).replaceAll('-', '');
  const branch = runBranchOf(`${day}-${randomBytes(3).toString('hex')}`);
  await remote.push([{ commit: base, ref: `refs/heads/${branch}`, expected: '' }]);
  return addSharedProject(database, { project, identity, branch, base });
}

/**
 * Only the machine that set the project up has a history that counts. It continues an import that was killed, unless workers
 * have begun to build meanwhile.
 */
async function importOnce(
  database: PostgresDatabase,
  ledger: Ledger,
  { project, number }: SharedProject,
): Promise<number> {
  if (number === 0) return startChain(database, ledger, project);
  await pullChain(database, ledger, project);
  const [last] = await database.query<{ machine: string; claimed: boolean }>({
    text: `SELECT machine, EXISTS (SELECT 1 FROM guardkit_queue.claim c WHERE c.project = e.project) AS claimed
      FROM guardkit_queue.entry e WHERE project = ? ORDER BY number DESC LIMIT 1`,
    values: [project],
  });
  if (last?.machine !== ledger.id || last.claimed) return 0;
  return shareLocal(database, ledger, project);
}
