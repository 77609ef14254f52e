import { realpathSync } from 'node:fs';
import * as z from 'zod';
import { headBeforeAgents } from '../../../enforcement/actions/sessions.ts';
import { currentActor } from '../../../enforcement/feature-list/change-actor.ts';
import { listNoticesForPerson } from '../../../enforcement/feature-list/format-reconciliation.ts';
import { listContext } from '../../../enforcement/feature-list/known-list.ts';
import { reconcileFeatureList } from '../../../enforcement/feature-list/reconcile-feature-list.ts';
import { recordVerification } from '../../../enforcement/feature-list/record-verification.ts';
import { describeUnguarded, unguardedSessions } from '../../../enforcement/install/unguarded-sessions.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { findCurrentBuild } from '../../../orchestration/feature-build/current-build.ts';
import { systemClock } from '../../../platform/clock.ts';
import type { Repository } from '../../../platform/git/repository.ts';
import { lookForGitIn } from '../../../platform/git/safe-git.ts';
import { deliverToMemory } from '../../../store/ledger/outbox/deliver-to-memory.ts';
import { readFeature } from '../../../store/ledger/tables/feature-table.ts';
import { architectureScore } from '../../../verification/architecture-facts.ts';
import { identifyCriteria, testsNaming, type VerifiedCriterion } from '../../../verification/criteria.ts';
import { baseOfFeature, recordBeginning } from '../../../verification/definition/base-of-feature.ts';
import { type Base, type BaseChooser, findBase } from '../../../verification/definition/find-base.ts';
import {
  openFeatureVerification,
  openVerification,
  type VerificationContext,
} from '../../../verification/open-verification.ts';
import { verify as verifyWork } from '../../../verification/verify.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';
import { observeCheckout } from '../protection/own-files.ts';
import { commandsToRun, judgingEnvironment } from './commands-to-run.ts';
import { describeEvent, describeVerification } from './describe-verification.ts';
import { endOnSignal } from './end-on-signal.ts';
import { recordMissingPrograms } from './record-programs.ts';
import { withProvenance } from './with-provenance.ts';

export const verify = defineCommand({
  name: 'verify',
  summary: 'Run tests and checks, then apply the gates',
  arguments: [['<id>', 'Feature (FEAT-…) or task (TASK-…)']],
  options: [
    ['--base <ref>', 'Commit to judge against (default: where the work began)'],
    ['--yes', 'Confirm detected commands (person only)'],
    ['--fresh-base', 'Rerun the base tests instead of reusing their results'],
  ],
  schema: z.object({
    id: z.string().min(1),
    base: z.string().min(1).optional(),
    yes: z.boolean().default(false),
    freshBase: z.boolean().default(false),
  }),
  run: runVerify,
});

interface VerifyInput {
  id: string;
  base?: string | undefined;
  yes: boolean;
  freshBase: boolean;
}

async function runVerify(context: CliContext, input: VerifyInput): Promise<Report> {
  const { env, told } = await judgingEnvironment(context);
  const stopLooking = lookForGitIn(env === context.env ? undefined : env.PATH);
  try {
    const report = await verifyWith(context, env, input);
    return { ...report, notices: [...told, ...(report.notices ?? [])] };
  } finally {
    stopLooking();
  }
}

async function verifyWith(context: CliContext, env: NodeJS.ProcessEnv, input: VerifyInput): Promise<Report> {
  const workspace = await context.workspace();
  const by = context.findPerson().present ? 'person' : 'anybody';
  const opened = await openVerification(workspace, { cwd: context.cwd, env }, { base: input.base, by });
  const { repository, project, store } = opened;
  const chosen = await chooseBase(context, opened, input.base, by);
  const ledger = await context.ledger();
  await recordMissingPrograms(context, opened);
  const list = listContext(ledger, project, repository.root, workspace.home);
  const told = [
    ...(await observeCheckout(context)),
    ...describeUnguarded(
      unguardedSessions({ ledger, project, root: repository.root }, context.env, systemClock()),
    ),
    ...listNoticesForPerson(reconcileFeatureList(list, currentActor(list, context.env))),
  ];
  const judged = await openFeatureVerification({
    project,
    ledger,
    repository,
    store,
    id: input.id,
    base: chosen.definitions,
    baseOfWork: ({ feature }) => chosen.forFeature(feature.id),
    commandsFor: (found) => commandsToRun(context, found, ledger, project, input.yes),
  });
  const { base, definition } = judged;
  const sandbox = await context.findSandbox();
  const named = definition.tasks.map((task) => ({
    task: task.id,
    criteria: identifyCriteria(ledger, project, task),
  }));
  const ending = endOnSignal();
  try {
    const verified = await verifyWork({
      ...judged,
      home: workspace.home,
      env,
      sandbox,
      freshBase: input.freshBase,
      signal: ending.signal,
      emit(event) {
        if (!ending.signal.aborted) context.progress(describeEvent(event));
      },
      record(verification) {
        const changedBy = currentActor(list, context.env);
        told.push(...listNoticesForPerson(recordVerification(list, changedBy, definition, verification)));
      },
    });
    if (ending.signal.aborted) throw cutOff(input.id);
    if (input.base === undefined && verified.facts.changes.length > 0)
      recordBeginning(ledger, project, definition.feature.id, { commit: base.commit });
    const results = verified.facts.candidate?.results ?? [];
    const criteria: VerifiedCriterion[] = named.flatMap(({ task, criteria: own }) =>
      own.map(({ id, text }) => ({ task, id, text, tests: testsNaming(id, results) })),
    );
    const { tree } = verified.verification;
    const score = architectureScore(
      ledger,
      project,
      definition.tasks.map(({ id }) => id),
      tree,
    );
    const memory = await deliverToMemory(ledger, store);
    const feature = readFeature(ledger, project, definition.feature.id);
    const tested = feature?.tested ?? false;
    const hasBuild = findCurrentBuild(ledger, project, definition.feature.id) !== undefined;
    const report = describeVerification({
      ...verified,
      definition,
      base,
      criteria,
      sandbox,
      score,
      memory,
      tested,
      canBeCompleted: tested && !hasBuild && feature?.closed === false,
    });
    const exitCode = verified.verification.outcome === 'pass' ? 0 : 1;
    return { ...report, exitCode, notices: [...told, ...(report.notices ?? [])] };
  } finally {
    ending.forget();
  }
}

function cutOff(id: string): GuardKitError {
  return new GuardKitError({
    code: 'verify.cut-off',
    kind: 'refused',
    message: 'Verification was cancelled; nothing was judged.',
    hint: `Run \`guardkit verify ${id}\` again; results of the base are kept.`,
  });
}

interface ChosenBase {
  /** The commit whose definitions apply. */
  definitions: Base;
  /** The commit that a feature's work is judged against; its `rules` may differ from the commit of `definitions`. */
  forFeature(featureId: string): Promise<Base>;
}

/** A person may name any base; others only one from before the feature's work began. */
async function chooseBase(
  context: CliContext,
  opened: VerificationContext,
  asked: string | undefined,
  by: BaseChooser,
): Promise<ChosenBase> {
  const { repository, project } = opened;
  const ledger = await context.ledger();
  const named = await withAdditions(context, repository, await withProvenance(context, opened), by);
  const beforeAgents = headBeforeAgents({ ledger, checkout: realpathSync(repository.root) });
  const ofFeature = (fork: Base, featureId: string) =>
    baseOfFeature({ repository, ledger, project, featureId, fork, beforeAgents });
  if (asked === undefined) {
    const isHead = named.commit === (await repository.commit('HEAD'));
    // On main, only provenance separates a person's rules from rules that came with the work.
    const keepsRules = by !== 'person' && isHead && !named.provenance;
    return {
      definitions: named,
      async forFeature(featureId) {
        const own = await ofFeature(named, featureId);
        // After history was replaced, the beginning may be from before GuardKit was set up.
        return keepsRules ? withAdditions(context, repository, { ...own, rules: own.commit }, by) : own;
      },
    };
  }
  const usual = by === 'person' ? undefined : await usualBase(context, opened);
  if (!usual) return { definitions: named, forFeature: async () => named };
  // If agents worked here, an older base must not bring back older rules.
  const definitions = usual.provenance ? usual : named;
  return {
    definitions,
    async forFeature(featureId) {
      const own = await ofFeature(usual, featureId);
      const { exitCode } = await repository.attempt([
        'merge-base',
        '--is-ancestor',
        named.commit,
        own.commit,
      ]);
      if (exitCode !== 0) throw afterBeginning(asked, featureId, own);
      return { ...named, rules: definitions.commit, provenance: definitions.provenance };
    },
  };
}

/** On a branch, also the work that it adds: what a person has committed there, by provenance. Without it, nothing shows whose it is. */
async function withAdditions(
  context: CliContext,
  repository: Repository,
  base: Base,
  by: BaseChooser,
): Promise<Base> {
  const head = await repository.commit('HEAD');
  const isPersons = base.provenance !== undefined || by === 'person';
  if (head === undefined || head === base.commit) return base;
  if (!isPersons && (await context.findAgent()) !== undefined) return base;
  return { ...base, addsFrom: { commit: head, isPersons } };
}

/** Undefined in a shallow clone without it. */
async function usualBase(context: CliContext, opened: VerificationContext): Promise<Base | undefined> {
  try {
    const base = await findBase(opened.repository, undefined);
    const known = await withProvenance(context, { ...opened, base });
    return await withAdditions(context, opened.repository, known, 'anybody');
  } catch (error) {
    if (error instanceof GuardKitError && error.code === 'base.no-fork-point') return undefined;
    throw error;
  }
}

function afterBeginning(asked: string, featureId: string, own: Base): GuardKitError {
  return new GuardKitError({
    code: 'base.after-beginning',
    kind: 'refused',
    message: `--base "${asked.slice(0, 100)}" is after ${own.commit.slice(0, 10)} (${own.why}), so part of the work on ${featureId} would not be judged.`,
    hint: 'Omit --base; only a person at a terminal may choose any commit.',
  });
}
