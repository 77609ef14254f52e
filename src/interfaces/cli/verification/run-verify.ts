import { currentActor } from '../../../enforcement/feature-list/change-actor.ts';
import { listNoticesForPerson } from '../../../enforcement/feature-list/format-reconciliation.ts';
import { listContext } from '../../../enforcement/feature-list/known-list.ts';
import { reconcileFeatureList } from '../../../enforcement/feature-list/reconcile-feature-list.ts';
import { recordVerification } from '../../../enforcement/feature-list/record-verification.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { lookForGitIn } from '../../../platform/git/safe-git.ts';
import { deliverToMemory } from '../../../store/ledger/outbox/deliver-to-memory.ts';
import { readFeature } from '../../../store/ledger/tables/feature-table.ts';
import { architectureScore } from '../../../verification/architecture-score.ts';
import { identifyCriteria, testsNaming, type VerifiedCriterion } from '../../../verification/criteria.ts';
import { recordBeginning } from '../../../verification/definition/base-of-feature.ts';
import { openFeatureVerification } from '../../../verification/open-feature-verification.ts';
import { openVerification } from '../../../verification/open-verification.ts';
import { verify } from '../../../verification/verify.ts';
import type { CliContext, Report } from '../program/cli-command.ts';
import { observeCheckout } from '../protection/own-files.ts';
import { chooseBase } from './choose-base.ts';
import { commandsToRun } from './commands-to-run.ts';
import { describeEvent } from './describe-event.ts';
import { describeVerification } from './describe-verification.ts';
import { endOnSignal } from './end-on-signal.ts';
import { judgingEnvironment } from './judging-environment.ts';

export interface VerifyInput {
  id: string;
  base?: string | undefined;
  yes: boolean;
  freshBase: boolean;
}

export async function runVerify(context: CliContext, input: VerifyInput): Promise<Report> {
  const { env, told } = await judgingEnvironment(context);
  const letGo = lookForGitIn(env === context.env ? undefined : env.PATH);
  try {
    const report = await verifyWith(context, env, input);
    return { ...report, notices: [...told, ...(report.notices ?? [])] };
  } finally {
    letGo();
  }
}

async function verifyWith(context: CliContext, env: NodeJS.ProcessEnv, input: VerifyInput): Promise<Report> {
  const workspace = await context.workspace();
  const by = context.findPerson().present ? 'person' : 'anybody';
  const ground = await openVerification(workspace, { cwd: context.cwd, env }, { base: input.base, by });
  const { repository, project, store } = ground;
  const chosen = await chooseBase(context, ground, input.base, by);
  const ledger = await context.ledger();
  const list = listContext(ledger, project, repository.root, workspace.home);
  const told = [
    ...(await observeCheckout(context)),
    ...listNoticesForPerson(reconcileFeatureList(list, currentActor(list, context.env))),
  ];
  const opened = await openFeatureVerification({
    project,
    ledger,
    repository,
    store,
    id: input.id,
    base: chosen.definitions,
    baseOfWork: ({ feature }) => chosen.forFeature(feature.id),
    commandsFor: (found) => commandsToRun(context, found, ledger, project, input.yes),
  });
  const { base, definition } = opened;
  const sandbox = await context.findSandbox();
  const named = definition.tasks.map((task) => ({
    task: task.id,
    criteria: identifyCriteria(ledger, project, task),
  }));
  const ending = endOnSignal();
  try {
    const verified = await verify({
      ...opened,
      home: workspace.home,
      env,
      sandbox,
      freshBase: input.freshBase,
      signal: ending.signal,
      emit(event) {
        if (!ending.signal.aborted) context.progress(describeEvent(event));
      },
      record(verification) {
        const doer = currentActor(list, context.env);
        told.push(...listNoticesForPerson(recordVerification(list, doer, definition, verification)));
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
    const tested = readFeature(ledger, project, definition.feature.id)?.tested ?? false;
    const report = describeVerification({
      ...verified,
      definition,
      base,
      criteria,
      sandbox,
      score,
      memory,
      tested,
    });
    return { ...report, notices: [...told, ...(report.notices ?? [])] };
  } finally {
    ending.forget();
  }
}

function cutOff(id: string): GuardKitError {
  return new GuardKitError({
    code: 'verify.cut-off',
    kind: 'refused',
    message: 'A person or a signal ended the verification: nothing is judged.',
    hint: `Run \`guardkit verify ${id}\` again; what passed on the base is known.`,
  });
}
