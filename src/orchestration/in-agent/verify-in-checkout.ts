import { projectConfigSchema } from '../../config/project/project-config.ts';
import type { VerifyConfig } from '../../config/project/verify-config.ts';
import { storeSettings } from '../../config/project/workspace.ts';
import { readYamlFile } from '../../config/yaml/yaml-file.ts';
import type { Verification } from '../../domain/entities/verification.ts';
import { OUTSIDE_THE_TREE } from '../../domain/protection/project-paths.ts';
import { recordVerification } from '../../enforcement/feature-list/record-verification.ts';
import { observeCommits } from '../../enforcement/provenance/observe-commits.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import { snapshotTree } from '../../platform/git/git-tree.ts';
import { Repository } from '../../platform/git/repository.ts';
import { findSandbox } from '../../platform/sandbox/find-sandbox.ts';
import { readFeature } from '../../store/ledger/tables/feature-table.ts';
import { settledCommands } from '../../verification/confirmed-commands.ts';
import { identifyCriteria } from '../../verification/criteria.ts';
import { baseOfFeature } from '../../verification/definition/base-of-feature.ts';
import { type Base, findBase } from '../../verification/definition/find-base.ts';
import type { Definition } from '../../verification/definition/load-definition.ts';
import { findBaseProvenance } from '../../verification/definition/provenance.ts';
import { withBaseFile } from '../../verification/definition/with-base-file.ts';
import { type FeatureVerification, openFeatureVerification } from '../../verification/open-verification.ts';
import { verify } from '../../verification/verify.ts';
import type { EventOf, LastResult } from '../session/session-event.ts';
import { summarizeVerification, toLastResult } from '../session-record/verification-for-session.ts';
import type { SessionContext } from './session-context.ts';
import type { Details } from './session-details.ts';

/** The base of the session's work. */
export interface SessionBase {
  commit: string;
  /** GuardKit created it from the initializer's work: no earlier commit defines how to verify. */
  made: boolean;
}

/** How a feature of the session is judged. Throws if nothing defines it. */
export async function openInCheckout(
  context: SessionContext,
  { commit, made }: SessionBase,
  feature: string,
  { fromItsStart }: { fromItsStart: boolean },
): Promise<FeatureVerification> {
  const { ledger, project, checkout, env, dataFolder, watch } = context;
  const repository = await Repository.open(checkout);
  observeCommits(watch);
  const provenance = made ? undefined : findBaseProvenance(ledger, project, repository, commit);
  const base: Base = { commit, why: 'where the session began', provenance };
  const config = await withBaseFile(repository, commit, '.guardkit/config.yaml', async (file) => {
    const read = await readYamlFile(file, projectConfigSchema);
    return read.ok ? read.value : {};
  });
  return openFeatureVerification({
    project,
    ledger,
    repository,
    store: storeSettings(config, env, dataFolder),
    id: feature,
    base,
    ...(fromItsStart ? { baseOfWork: (found) => startOfFeature(context, repository, base, found) } : {}),
    commandsFor: (found) => commandsOf(context, found),
  });
}

/** Runs the gates of a feature on the working files and records the result, with whether the feature is tested. */
export async function verifyInCheckout(
  context: SessionContext,
  sessionBase: SessionBase,
  feature: string,
  signal: AbortSignal,
): Promise<Verification> {
  const { ledger, project, env, dataFolder, list, changedBy } = context;
  const opened = await openInCheckout(context, sessionBase, feature, { fromItsStart: true });
  const { definition } = opened;
  for (const task of definition.tasks) identifyCriteria(ledger, project, task);
  const { verification } = await verify({
    ...opened,
    home: dataFolder,
    env,
    sandbox: await findSandbox(env),
    freshBase: false,
    signal,
    emit: () => {},
    record: (found) => {
      recordVerification(list, changedBy, definition, found);
    },
  });
  return verification;
}

/** Definitions stay those of the session's base; the work is judged from where the feature began. */
async function startOfFeature(
  { ledger, project }: SessionContext,
  repository: Repository,
  base: Base,
  definition: Definition,
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

/** Only settled commands: no person can be asked now. */
function commandsOf({ ledger, project }: SessionContext, definition: Definition): VerifyConfig {
  const settled = settledCommands(definition, ledger, project);
  if (settled) return settled;
  throw new GuardKitError({
    code: 'session.nothing-to-run',
    kind: 'input',
    message: 'No test command in the committed configuration.',
    hint: 'Commit a `verify:` section in .guardkit/config.yaml (`guardkit init` writes it), or confirm the detected commands with `guardkit verify FEATURE --yes`.',
  });
}

type Told<Type extends 'verified' | 'all_verified'> = Omit<EventOf<Type>, 'at'>;

/** Verifies the current feature. */
export async function verifyOne(
  context: SessionContext,
  details: Details,
  { feature, attempt }: { feature: string; attempt: number },
  withinMs: number,
): Promise<Told<'verified'>> {
  const signal = AbortSignal.timeout(withinMs);
  const found = await verifyInCheckout(context, baseOf(details), feature, signal);
  if (signal.aborted) throw tookTooLong(feature, withinMs);
  return { type: 'verified', feature, attempt, ...summarizeVerification(found) };
}

/** Verifies all features on the current files. A feature already tested on the same tree is not verified again. */
export async function verifyAll(
  context: SessionContext,
  details: Details,
  features: readonly string[],
  withinMs: number,
): Promise<Told<'all_verified'>> {
  const { ledger, project, checkout } = context;
  const signal = AbortSignal.timeout(withinMs);
  const tree = await snapshotTree(await Repository.open(checkout), OUTSIDE_THE_TREE);
  const results: LastResult[] = [];
  for (const feature of features) {
    const known = readFeature(ledger, project, feature);
    if (!known) continue;
    if (known.tested && known.tested_tree === tree && known.tested_in === checkout) {
      results.push({ feature, outcome: 'pass', evidence: known.evidence, why: '' });
      continue;
    }
    const found = await verifyInCheckout(context, baseOf(details), feature, signal);
    if (signal.aborted) throw tookTooLong(feature, withinMs);
    results.push(toLastResult(feature, summarizeVerification(found)));
  }
  return { type: 'all_verified', results };
}

function baseOf({ base, base_made }: Details): SessionBase {
  if (base === null) throw new Error('no commit to judge the work against');
  return { commit: base, made: base_made };
}

function tookTooLong(feature: string, withinMs: number): Error {
  return new Error(
    `${feature} took longer than ${Math.round(withinMs / 60_000)} minutes. Run \`guardkit verify ${feature}\` to see what takes so long, then continue with \`guardkit session resume\``,
  );
}
