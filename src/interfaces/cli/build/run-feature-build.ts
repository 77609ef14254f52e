import type { FailedApproach } from '../../../domain/failed-approach.ts';
import { projectGroup } from '../../../domain/group.ts';
import type { BuildEvent } from '../../../orchestration/build/build-event.ts';
import { type BuildResult, buildFeature } from '../../../orchestration/build/build-feature.ts';
import { systemClock } from '../../../platform/clock.ts';
import { findAgent } from '../../../platform/person.ts';
import { findSandbox } from '../../../platform/sandbox/find-sandbox.ts';
import { OutboxRunner } from '../../../store/ledger/outbox-runner.ts';
import { openStore } from '../../../store/open-store.ts';
import { Acceptances } from '../../../verification/definition/acceptances.ts';
import { loadDefinition } from '../../../verification/definition/load-definition.ts';
import { openVerification } from '../../../verification/open-verification.ts';
import type { CliContext, Report } from '../cli-command.ts';
import { commandsToRun } from '../verification/commands-to-run.ts';
import { deliver } from '../verification/deliver.ts';
import { endOnSignal } from '../verification/end-on-signal.ts';
import { openBuildLog } from './build-log.ts';
import { chooseDriver } from './choose-driver.ts';
import { describeBuild } from './describe-build.ts';
import { describeBuildEvent } from './describe-build-event.ts';

type DriverName = Parameters<typeof chooseDriver>[0];

export interface FeatureBuildInput {
  id: string;
  task: string[];
  maxTurns: number;
  resume: boolean;
  driver?: DriverName | undefined;
  coachDriver?: DriverName | undefined;
  scenario?: string | undefined;
  budgetUsd?: number | undefined;
  timeout: number;
  promptTokens: number;
  base?: string | undefined;
  acceptRedBaseline: boolean;
  requirePlan: boolean;
  yes: boolean;
  jsonEvents: boolean;
  verbose: boolean;
}

export async function runFeatureBuild(context: CliContext, input: FeatureBuildInput): Promise<Report> {
  const workspace = await context.workspace();
  // A build starts from what is committed here; only an agent may not choose a branch of its own for that.
  const by = findAgent(context.env) === undefined ? 'person' : 'anybody';
  const { repository, base, project, store } = await openVerification(workspace, context, {
    base: input.base ?? 'HEAD',
    by,
  });
  const ledger = await context.ledger();
  const acceptances = Acceptances.read(ledger, project);
  const load = (id: string) => loadDefinition({ repository, base, id, acceptances, store });
  await seed(context, project);
  const asked = await load(input.id);
  const isTask = asked.feature.id !== input.id;
  const definition = isTask ? await load(asked.feature.id) : asked;
  const verify = await commandsToRun(context, definition, ledger, project, input.yes);
  const playerName = input.driver ?? definition.config.drivers?.player ?? 'claude';
  const coachName =
    input.coachDriver ?? (input.driver ? input.driver : definition.config.drivers?.coach) ?? playerName;
  const player = await chooseDriver(playerName, definition.config, input.scenario);
  const coach =
    coachName === playerName ? player : await chooseDriver(coachName, definition.config, input.scenario);
  const log = openBuildLog(repository.root);
  const ending = endOnSignal();
  const outbox = new OutboxRunner({ ledger, openStore: async () => openStore(store) });
  outbox.start();
  const show = (event: BuildEvent) => {
    log.write(event);
    if (event.type === 'turn_captured') outbox.notify();
    if (input.jsonEvents) context.progress(JSON.stringify(event));
    else {
      const line = describeBuildEvent(event, input.verbose);
      if (line !== undefined) context.progress(line);
    }
  };
  let result: BuildResult;
  try {
    result = await buildFeature({
      home: workspace.home,
      env: context.env,
      project,
      repository,
      ledger,
      store,
      sandbox: await findSandbox(context.env),
      acceptances,
      id: input.id,
      base,
      definition,
      verify,
      sources: definition.sources,
      failedApproaches: await failedApproaches(context, project, definition.feature.id),
      onlyTasks: [...(isTask ? [input.id] : []), ...input.task],
      player,
      coach,
      maxTurns: input.maxTurns,
      budgetUsd: input.budgetUsd,
      agentTimeoutMs: input.timeout * 1000,
      promptTokens: input.promptTokens,
      resume: input.resume,
      acceptRedBaseline: input.acceptRedBaseline,
      requirePlan: input.requirePlan,
      signal: ending.signal,
      clock: systemClock,
      emit: show,
    });
  } finally {
    ending.forget();
    await outbox.stop();
  }
  const memory = await deliver(ledger, store);
  return describeBuild(result, memory === undefined ? [] : [memory]);
}

/** The start of a build fills the store with the built-in rules; where it is away, that is said and the build goes on. */
async function seed(context: CliContext, project: string): Promise<void> {
  try {
    const { projectSeedGroup, seedGroups, systemSeedGroups } = await import('../../../rules/seed-groups.ts');
    const { loadRuleSources } = await import('../../../rules/load-rule-sources.ts');
    const { root, store } = await context.workspace();
    const own = projectSeedGroup(project, await loadRuleSources(root, store));
    await seedGroups(await context.store(), [...systemSeedGroups(), ...(own.bodies.length > 0 ? [own] : [])]);
  } catch {
    // Safe: what protects the build, memory included, is told in its first lines.
  }
}

/** What memory knows; without it the build goes on. */
async function failedApproaches(
  context: CliContext,
  project: string,
  feature: string,
): Promise<FailedApproach[]> {
  try {
    const store = await context.store();
    const found = await store.list(projectGroup(project, 'failed_approaches'), {
      where: [{ field: 'feature_id', op: 'eq', value: feature }],
    });
    return found.map(({ body }) => body as FailedApproach);
  } catch {
    // Safe: that memory is off is said in the first lines of the build.
    return [];
  }
}
