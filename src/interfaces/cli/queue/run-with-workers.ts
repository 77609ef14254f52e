import { GuardKitError } from '../../../guardkit-error.ts';
import { readDefinitionsAt } from '../../../orchestration/run/read-run-features.ts';
import { spentUsd } from '../../../store/shared/budgets.ts';
import { listItems } from '../../../store/shared/queue-items.ts';
import { requireSharedProject, setBudget } from '../../../store/shared/shared-projects.ts';
import { Acceptances } from '../../../verification/definition/acceptances.ts';
import { noCommits } from '../../../verification/definition/find-base.ts';
import { plural } from '../output/printable.ts';
import type { CliContext, Report } from '../program/cli-command.ts';
import type { RunInput } from '../run/run-input.ts';
import { addFeatures } from './add.ts';
import { itemJson } from './list.ts';
import { openClone, withQueue } from './open-queue.ts';
import { superviseWorkers } from './supervise-workers.ts';

/** Queues the features of the project and starts workers here until the queue is empty. */
export async function runWithWorkers(context: CliContext, input: RunInput, workers: number): Promise<Report> {
  refuseOthers(input);
  const clone = await openClone(context);
  const { url, project, repository } = clone;
  const before = await withQueue(url, async (database) => {
    const { budget_usd } = await requireSharedProject(database, project, clone.identity);
    const features =
      input.features.length > 0 ? input.features : await definedFeatures(context, repository, project);
    if (input.budgetUsd !== undefined)
      await setBudget(
        database,
        project,
        Math.min(
          budget_usd ?? Number.POSITIVE_INFINITY,
          (await spentUsd(database, project)) + input.budgetUsd,
        ),
      );
    if (features.length > 0) await addFeatures(context, clone, database, { features, dryRun: false });
    return budget_usd;
  });
  try {
    await superviseWorkers(context, [repository.root], {
      ...input,
      concurrency: workers,
      project: [],
      untilEmpty: true,
    });
  } finally {
    // The limit of this run is not one of the project.
    if (input.budgetUsd !== undefined)
      await withQueue(url, (database) => setBudget(database, project, before));
  }
  return withQueue(url, async (database) => {
    const items = await listItems(database, project);
    const { branch, tip } = await requireSharedProject(database, project, clone.identity);
    const done = items.filter(({ state }) => state === 'completed').length;
    const open = items.filter(({ state }) => state !== 'completed');
    return {
      json: { project, branch, tip, items: items.map(itemJson) },
      text: [
        `${plural(done, 'feature')} completed on ${branch}.`,
        ...open.map(({ feature, state, why }) => `  ${feature}: ${state}. ${why}`),
      ].join('\n'),
      exitCode: open.length === 0 ? 0 : 1,
    };
  });
}

async function definedFeatures(
  context: CliContext,
  repository: Awaited<ReturnType<typeof openClone>>['repository'],
  project: string,
): Promise<string[]> {
  const commit = await repository.commit('HEAD');
  if (commit === undefined) throw noCommits();
  const acceptances = Acceptances.read(await context.ledger(), project);
  const { store } = await context.workspace();
  const { work } = await readDefinitionsAt({ repository, acceptances, store }, { commit });
  return work.features.map(({ id }) => id);
}

/** Limits that one process keeps, and workers do not. */
function refuseOthers({ until, maxFeatures, brief }: RunInput): void {
  const named = [
    ...(until === undefined ? [] : ['--until']),
    ...(maxFeatures === undefined ? [] : ['--max-features']),
    ...(brief === undefined ? [] : ['--brief']),
  ];
  if (named.length === 0) return;
  throw new GuardKitError({
    code: 'usage',
    kind: 'input',
    message: `${named.join(', ')} cannot be combined with --workers.`,
    hint: 'Omit it, or run without --workers.',
  });
}
