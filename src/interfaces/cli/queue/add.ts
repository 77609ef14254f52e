import * as z from 'zod';
import { workIdSchema } from '../../../domain/entities/work-id.ts';
import { didYouMean, nearestWord } from '../../../domain/nearest-word.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { joinCommits } from '../../../orchestration/run/find-start.ts';
import { readDefinitionsAt } from '../../../orchestration/run/read-run-features.ts';
import { isDone } from '../../../orchestration/session/next-runnable.ts';
import { readFeatures } from '../../../store/ledger/tables/feature-table.ts';
import type { PostgresDatabase } from '../../../store/postgres/postgres-database.ts';
import { pullChain } from '../../../store/shared/pull-chain.ts';
import { addItem, dropNeeds } from '../../../store/shared/queue-items.ts';
import { shareLocal } from '../../../store/shared/share-local.ts';
import { PERSONS_KINDS } from '../../../store/shared/shared-kinds.ts';
import {
  advanceTip,
  requireSharedProject,
  type SharedProject,
} from '../../../store/shared/shared-projects.ts';
import { Acceptances } from '../../../verification/definition/acceptances.ts';
import { usd } from '../feature-build/build-input.ts';
import { plural } from '../output/printable.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';
import { openClone, type QueueClone, withQueue } from './open-queue.ts';

export const add = defineCommand({
  name: 'add',
  summary: 'Queue features for the workers',
  arguments: [['<features...>', 'Ids of the features']],
  options: [
    ['--priority <n>', 'Lower numbers are built first (default: the feature’s)'],
    ['--budget-usd <n>', 'Spending limit per feature in USD'],
  ],
  changes: true,
  schema: z.object({
    features: z.array(workIdSchema).min(1).max(10_000),
    priority: z
      .string()
      .regex(/^[0-9]{1,6}$/, 'expected a whole number from 0 to 999999')
      .transform(Number)
      .optional(),
    budgetUsd: usd.optional(),
    dryRun: z.boolean().default(false),
  }),
  run: runAdd,
});

interface AddInput {
  features: readonly string[];
  priority?: number | undefined;
  budgetUsd?: number | undefined;
  dryRun: boolean;
}

async function runAdd(context: CliContext, input: AddInput): Promise<Report> {
  const clone = await openClone(context);
  return withQueue(clone.url, (database) => addFeatures(context, clone, database, input));
}

/** Queues features; also those of `run --workers`. */
export async function addFeatures(
  context: CliContext,
  clone: QueueClone,
  database: PostgresDatabase,
  { features, priority, budgetUsd, dryRun }: AddInput,
): Promise<Report> {
  const { project, repository } = clone;
  const ledger = await context.ledger();
  const shared = await requireSharedProject(database, project, clone.identity);
  const tip = await tipWithHead(clone, shared);
  const { store } = await context.workspace();
  const acceptances = Acceptances.read(ledger, project);
  const { work } = await readDefinitionsAt({ repository, acceptances, store }, { commit: tip });
  const defined = new Map(work.features.map((one) => [one.id, one]));
  for (const id of features) if (!defined.has(id)) throw unknownFeature(id, [...defined.keys()]);
  if (dryRun)
    return {
      json: { added: [], present: [], done: [], would: features },
      text: `Would queue ${features.join(', ')}.`,
    };
  await pullChain(database, ledger, project);
  await shareLocal(database, ledger, project, PERSONS_KINDS);
  const notices = tip === shared.tip ? [] : await moveTip(clone, database, shared, tip);
  const done = new Set(
    readFeatures(ledger, project)
      .filter(isDone)
      .map(({ id }) => id),
  );
  await dropNeeds(database, project, [...done]);
  const result = {
    added: [] as string[],
    present: [] as string[],
    done: features.filter((id) => done.has(id)),
  };
  for (const feature of features.filter((id) => !done.has(id))) {
    const { dependencies = [], priority: own } = defined.get(feature) ?? { priority: 3 };
    const needs = dependencies.filter((id) => !done.has(id));
    const item = { project, feature, priority: priority ?? own, budgetUsd, needs };
    ((await addItem(database, item)) ? result.added : result.present).push(feature);
  }
  return {
    json: result,
    notices,
    text: [
      `Queued ${plural(result.added.length, 'feature')}.`,
      ...result.present.map((id) => `${id} is already in the queue.`),
      ...result.done.map((id) => `${id} is already completed.`),
    ].join('\n'),
  };
}

/** Definitions committed since the last time are part of what workers build on. */
async function tipWithHead(
  { repository, remote }: QueueClone,
  { tip, branch }: SharedProject,
): Promise<string> {
  await remote.fetchStacked(branch);
  const head = await repository.commit('HEAD');
  if (head === undefined) return tip;
  const joined = await joinCommits(repository, tip, head, `Continue with ${head.slice(0, 12)}`);
  if (joined.ok) return joined.commit;
  throw new GuardKitError({
    code: 'queue.disagrees',
    kind: 'refused',
    message: `This checkout conflicts with ${branch}:\n${joined.conflicts.slice(0, 10).join('\n')}`,
    hint: `Run \`git fetch ${remote.name} && git merge ${remote.name}/${branch}\`, resolve the conflicts, then run this again.`,
  });
}

async function moveTip(
  { remote, project }: QueueClone,
  database: PostgresDatabase,
  { tip: from, branch }: SharedProject,
  to: string,
): Promise<string[]> {
  await remote.push([{ commit: to, ref: `refs/${branch}/base/${to}` }]);
  if (!(await advanceTip(database, project, { from, to })))
    throw new GuardKitError({
      code: 'queue.tip-moved',
      kind: 'outside',
      message: 'A worker completed a feature in the meantime.',
      hint: 'Run this again.',
    });
  try {
    await remote.advance(branch, to);
    return [];
  } catch (error) {
    if (!(error instanceof GuardKitError)) throw error;
    // Safe: workers build from the commit, which is on a ref of its own.
    return [`! ${branch} could not be updated yet: ${error.message}`];
  }
}

function unknownFeature(id: string, known: readonly string[]): GuardKitError {
  return new GuardKitError({
    code: 'run.unknown-feature',
    kind: 'input',
    message: `No feature ${id.slice(0, 80)} in the committed definitions.${didYouMean(nearestWord(id, known))}`,
    hint: '`guardkit feature list` shows all features; commit the files that define them.',
  });
}
