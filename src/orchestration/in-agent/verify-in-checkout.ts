import { projectConfigSchema } from '../../config/project/project-config.ts';
import type { VerifyConfig } from '../../config/project/verify-config.ts';
import { storeSettings } from '../../config/project/workspace.ts';
import { readYamlFile } from '../../config/yaml/yaml-file.ts';
import type { Verification } from '../../domain/entities/verification.ts';
import { recordVerification } from '../../enforcement/feature-list/record-verification.ts';
import { observeCommits } from '../../enforcement/provenance/observe-commits.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import { Repository } from '../../platform/git/repository.ts';
import { findSandbox } from '../../platform/sandbox/find-sandbox.ts';
import { readFeature } from '../../store/ledger/tables/feature-table.ts';
import { settledCommands } from '../../verification/confirmed-commands.ts';
import { identifyCriteria } from '../../verification/criteria.ts';
import { Acceptances } from '../../verification/definition/acceptances.ts';
import { baseOfFeature } from '../../verification/definition/base-of-feature.ts';
import { type Base, findBase } from '../../verification/definition/find-base.ts';
import { type Definition, loadDefinition } from '../../verification/definition/load-definition.ts';
import { findBaseProvenance } from '../../verification/definition/provenance.ts';
import { withBaseFile } from '../../verification/definition/with-base-file.ts';
import { verify } from '../../verification/verify.ts';
import type { SessionContext } from './session-context.ts';

/** What the session's work is judged against. */
export interface SessionBase {
  commit: string;
  /** GuardKit made it of what the initializer left: nothing before it says how anything is verified. */
  made: boolean;
}

interface OpenedFeature {
  repository: Repository;
  base: Base;
  definition: Definition;
  commands: VerifyConfig;
  acceptances: Acceptances;
}

/** Everything that decides how a feature is judged. Throws where nothing says it, so that this shows before any work is done. */
export async function openFeatureVerification(
  ground: SessionContext,
  { commit, made }: SessionBase,
  feature: string,
): Promise<OpenedFeature> {
  const { ledger, project, checkout, env, dataFolder, watch } = ground;
  const repository = await Repository.open(checkout);
  observeCommits(watch);
  const provenance = made ? undefined : findBaseProvenance(ledger, project, repository, commit);
  const base: Base = { commit, why: 'where the session began', provenance };
  const config = await withBaseFile(repository, commit, '.guardkit/config.yaml', async (file) => {
    const read = await readYamlFile(file, projectConfigSchema);
    return read.ok ? read.value : {};
  });
  const acceptances = Acceptances.read(ledger, project);
  const definition = await loadDefinition({
    repository,
    base,
    id: feature,
    acceptances,
    store: storeSettings(config, env, dataFolder),
    listed: readFeature(ledger, project, feature),
  });
  return { repository, base, definition, commands: commandsOf(ground, definition), acceptances };
}

/** Runs the gates of a feature on the files as they are, and records what they say, with whether the feature is tested. */
export async function verifyInCheckout(
  ground: SessionContext,
  sessionBase: SessionBase,
  feature: string,
  signal: AbortSignal,
): Promise<Verification> {
  const { ledger, project, env, dataFolder, list, doer } = ground;
  const opened = await openFeatureVerification(ground, sessionBase, feature);
  const { repository, definition, commands, acceptances } = opened;
  const base = await whereItBegan(ground, opened);
  for (const task of definition.tasks) identifyCriteria(ledger, project, task);
  const { verification } = await verify({
    home: dataFolder,
    env,
    project,
    repository,
    base,
    definition,
    verify: commands,
    taskId: null,
    acceptances,
    ledger,
    sandbox: await findSandbox(env),
    freshBase: false,
    signal,
    emit: () => {},
    record: (found) => {
      recordVerification(list, doer, definition, found);
    },
  });
  return verification;
}

/** Definitions stay those of the session's base; the work is judged from where the feature began. */
async function whereItBegan(
  { ledger, project }: SessionContext,
  { repository, base, definition }: OpenedFeature,
): Promise<Base> {
  const found = await findBase(repository, undefined).catch((error: unknown) => {
    // A branch without a fork point has no other base than the session's.
    if (error instanceof GuardKitError) return undefined;
    throw error;
  });
  if (!found) return base;
  const fork = { ...found, provenance: findBaseProvenance(ledger, project, repository, found.commit) };
  const featureId = definition.feature.id;
  const beforeAgents = base.commit;
  const own = await baseOfFeature({ repository, ledger, project, featureId, fork, beforeAgents });
  return { ...base, commit: own.commit, why: own.why, rules: base.commit };
}

/** Nobody can be asked now. */
function commandsOf({ ledger, project }: SessionContext, definition: Definition): VerifyConfig {
  const settled = settledCommands(definition, ledger, project);
  if (settled) return settled;
  throw new GuardKitError({
    code: 'session.nothing-to-run',
    kind: 'input',
    message: 'What is committed names no command that runs the tests, so nothing could be verified.',
    hint: 'Commit a `verify:` section in .guardkit/config.yaml (`guardkit init` writes it), or confirm what was detected with `guardkit verify FEATURE --yes`.',
  });
}
