import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { projectConfigSchema } from '../../../config/project/project-config.ts';
import { readYamlFile, requireValid } from '../../../config/yaml/yaml-file.ts';
import { currentActor } from '../../../enforcement/feature-list/change-actor.ts';
import type { FeatureListContext } from '../../../enforcement/feature-list/known-list.ts';
import type { WatchContext } from '../../../enforcement/watch/watch-context.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import type { RunSettings } from '../../../orchestration/run/run-settings.ts';
import { systemClock } from '../../../platform/clock.ts';
import { readTreeFile } from '../../../platform/git/git-tree.ts';
import type { Repository } from '../../../platform/git/repository.ts';
import { systemSeedGroups } from '../../../rules/seed-groups.ts';
import { withBaseFile } from '../../../verification/definition/with-base-file.ts';
import { chooseDrivers } from '../feature-build/choose-driver.ts';
import { failedApproaches, openBase, seed } from '../feature-build/open-build.ts';
import { inputName, readText } from '../input/read-text.ts';
import type { CliContext } from '../program/cli-command.ts';
import { commandsToRun } from '../verification/commands-to-run.ts';
import { namedLimits, type RunInput } from './run-input.ts';

/** Settings of a run from the base, the configuration and the command line. */
export async function openRunSettings(
  context: CliContext,
  input: RunInput,
): Promise<Omit<RunSettings, 'signal' | 'emit'>> {
  const { list, ...opened } = await openBase(context);
  const { env, project, repository, ledger, store, base } = opened;
  const config = await withBaseFile(repository, base.commit, '.guardkit/config.yaml', async (file) =>
    requireValid(await readYamlFile(file, projectConfigSchema)),
  );
  await seed(store, systemSeedGroups());
  const drivers = await chooseDrivers(input, config, { env, folder: repository.root });
  // A run does not ask: unconfirmed commands are refused.
  const silent = { ...context, ask: async () => '' };
  return {
    ...opened,
    sandbox: await context.findSandbox(),
    config,
    sessionFiles: {
      list,
      changedBy: currentActor(list, context.env),
      watch: watchContextOf(list, repository, context.env),
    },
    limits: namedLimits(input),
    brief: await readBrief(context, repository, base.commit, input.brief),
    briefNamed: input.brief !== undefined,
    ...drivers,
    maxTurns: input.maxTurns,
    agentTimeoutMs: input.timeout * 1000,
    promptTokens: input.promptTokens,
    acceptRedBaseline: input.acceptRedBaseline,
    requirePlan: false,
    clock: systemClock,
    commandsFor: (definition) => commandsToRun(silent, definition, ledger, project, input.yes),
    failedApproachesOf: (feature) => failedApproaches(store, project, feature),
  };
}

/** The checkout as what agents may be watched in. */
function watchContextOf(
  list: FeatureListContext,
  { folder }: Repository,
  env: NodeJS.ProcessEnv,
): WatchContext {
  const { ledger, project, checkout } = list;
  const dataFolder = realpathSync(list.dataFolder);
  return { ledger, project, checkout, git: folder, dataFolder, home: env.HOME ?? homedir(), globs: [] };
}

const MAX_BRIEF_BYTES = 200_000;

/** The named file, or the committed README. */
export async function readBrief(
  context: Pick<CliContext, 'cwd' | 'stdin'>,
  repository: Repository,
  base: string,
  named: string | undefined,
): Promise<RunSettings['brief']> {
  if (named !== undefined) return readNamed(context, named);
  const text = await readTreeFile(repository, base, 'README.md');
  if (text === undefined || text.trim() === '') return undefined;
  return { name: 'README.md', text: text.slice(0, MAX_BRIEF_BYTES).toWellFormed() };
}

const HINT = 'Specify a text file that describes what to build.';

async function readNamed(
  context: Pick<CliContext, 'cwd' | 'stdin'>,
  named: string,
): Promise<{ name: string; text: string }> {
  const text = await readText(context, named, { maxBytes: MAX_BRIEF_BYTES, hint: HINT });
  const name = inputName(named);
  const why = text.trim() === '' ? 'is empty' : text.includes('\0') ? 'is not text' : undefined;
  if (why === undefined) return { name, text };
  throw new GuardKitError({
    code: 'file.unreadable',
    kind: 'input',
    message: `${name} ${why}.`,
    hint: HINT,
  });
}
