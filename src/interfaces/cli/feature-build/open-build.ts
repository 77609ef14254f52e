import type { StoreSettings } from '../../../config/project/workspace.ts';
import type { FailedApproach } from '../../../domain/entities/failed-approach.ts';
import { projectGroup } from '../../../domain/entities/group.ts';
import { currentActor } from '../../../enforcement/feature-list/change-actor.ts';
import { listNoticesForPerson } from '../../../enforcement/feature-list/format-reconciliation.ts';
import { listContext } from '../../../enforcement/feature-list/known-list.ts';
import { reconcileFeatureList } from '../../../enforcement/feature-list/reconcile-feature-list.ts';
import type { BuildRequest } from '../../../orchestration/feature-build/build-feature.ts';
import { systemClock } from '../../../platform/clock.ts';
import { askStore } from '../../../rules/ask-store.ts';
import {
  projectSeedGroup,
  type SeedGroup,
  seedGroups,
  systemSeedGroups,
} from '../../../rules/seed-groups.ts';
import { featureIds, readFeature } from '../../../store/ledger/tables/feature-table.ts';
import { Acceptances } from '../../../verification/definition/acceptances.ts';
import { loadDefinition } from '../../../verification/definition/load-definition.ts';
import { openVerification } from '../../../verification/open-verification.ts';
import type { CliContext } from '../program/cli-command.ts';
import { buildingEnvironment, commandsToRun } from '../verification/commands-to-run.ts';
import { recordMissingPrograms } from '../verification/record-programs.ts';
import { withProvenance } from '../verification/with-provenance.ts';
import type { BuildInput } from './build-input.ts';
import { chooseDrivers } from './choose-driver.ts';

type OpenedBuild = Omit<BuildRequest, 'onlyTasks' | 'maxTurns' | 'resume' | 'signal' | 'emit'> & {
  /** The id names a task, not its feature. */
  isTask: boolean;
};

/** The project, its ledger and the base, for a build or a run. */
export async function openBase(context: CliContext, ref = 'HEAD') {
  const workspace = await context.workspace();
  const env = await buildingEnvironment(context);
  // An agent may not choose its own branch as the base.
  const by = (await context.findAgent()) === undefined ? 'person' : 'anybody';
  const opened = await openVerification(workspace, context, { base: ref, by });
  const { repository, project, store } = opened;
  const base = await withProvenance(context, opened, { reportPending: true });
  const ledger = await context.ledger();
  await recordMissingPrograms(context, opened);
  const acceptances = Acceptances.read(ledger, project);
  const list = listContext(ledger, project, repository.root, workspace.home);
  return { home: workspace.home, env, project, repository, ledger, store, acceptances, base, list };
}

/** Settings of a build from the base, the configuration and the command line. */
export async function openBuild(context: CliContext, input: BuildInput): Promise<OpenedBuild> {
  const { list, ...opened } = await openBase(context, input.base);
  const { env, project, repository, ledger, store, acceptances, base } = opened;
  for (const text of listNoticesForPerson(reconcileFeatureList(list, currentActor(list, context.env))))
    context.progress(`! ${text}`);
  const listedIds = featureIds(ledger, project);
  const load = (id: string) => {
    const listed = readFeature(ledger, project, id);
    return loadDefinition({ repository, base, id, acceptances, store, listed, listedIds });
  };
  await seed(store, systemSeedGroups());
  const asked = await load(input.id);
  const isTask = asked.feature.id !== input.id;
  const definition = isTask ? await load(asked.feature.id) : asked;
  const own = projectSeedGroup(project, definition.sources);
  if (own.bodies.length > 0) await seed(store, [own]);
  const verify = await commandsToRun(context, definition, ledger, project, input.yes);
  const drivers = await chooseDrivers(input, definition.config, { env, folder: repository.root });
  return {
    ...opened,
    isTask,
    sandbox: await context.findSandbox(),
    definition,
    listed: readFeature(ledger, project, definition.feature.id),
    verify,
    sources: definition.sources,
    failedApproaches: await failedApproaches(store, project, definition.feature.id),
    ...drivers,
    budgetUsd: input.budgetUsd,
    agentTimeoutMs: input.timeout * 1000,
    promptTokens: input.promptTokens,
    acceptRedBaseline: input.acceptRedBaseline,
    requirePlan: input.requirePlan,
    clock: systemClock,
  };
}

/** Seeds the store; if it is unavailable, the build continues. */
export async function seed(store: StoreSettings, groups: readonly SeedGroup[]): Promise<void> {
  // The first lines of the build report whether memory is available.
  await askStore(store, (open) => seedGroups(open, groups));
}

/** Reads memory; the build continues without it. */
export async function failedApproaches(
  store: StoreSettings,
  project: string,
  feature: string,
): Promise<FailedApproach[]> {
  const found = await askStore(store, (open) =>
    open.list(projectGroup(project, 'failed_approaches'), {
      where: [{ field: 'feature_id', op: 'eq', value: feature }],
    }),
  );
  return found.ok ? found.value.map(({ body }) => body as FailedApproach) : [];
}
