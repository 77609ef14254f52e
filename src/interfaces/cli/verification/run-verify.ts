import type { VerifyConfig } from '../../../config/verify-config.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { findSandbox } from '../../../platform/sandbox/find-sandbox.ts';
import type { Ledger } from '../../../store/ledger/ledger.ts';
import { architectureScore } from '../../../verification/architecture-score.ts';
import { confirmVerify, isConfirmed } from '../../../verification/confirmed-verify.ts';
import { identifyCriteria, testsNaming, type VerifiedCriterion } from '../../../verification/criteria.ts';
import { Acceptances } from '../../../verification/definition/acceptances.ts';
import { type Definition, loadDefinition } from '../../../verification/definition/load-definition.ts';
import { openVerification } from '../../../verification/open-verification.ts';
import { verify } from '../../../verification/verify.ts';
import type { CliContext, Report } from '../cli-command.ts';
import { deliver } from './deliver.ts';
import { describeEvent } from './describe-event.ts';
import { describeVerification } from './describe-verification.ts';
import { personName, refuseAgents } from './person-name.ts';

export interface VerifyInput {
  id: string;
  base?: string | undefined;
  yes: boolean;
  freshBase: boolean;
}

export async function runVerify(context: CliContext, input: VerifyInput): Promise<Report> {
  const workspace = await context.workspace();
  const { repository, base, project } = await openVerification(workspace, context.cwd, input.base);
  const ledger = await context.ledger();
  const acceptances = Acceptances.read(ledger, project);
  const definition = await loadDefinition({
    repository,
    base,
    id: input.id,
    acceptances,
    store: workspace.store,
  });
  const commands = await commandsToRun(context, definition, ledger, project, input.yes);
  const sandbox = await findSandbox(context.env);
  const named = definition.tasks.map((task) => ({
    task: task.id,
    criteria: identifyCriteria(ledger, project, task),
  }));
  const ending = endOnSignal();
  try {
    const verified = await verify({
      home: workspace.home,
      env: context.env,
      project,
      repository,
      base,
      definition,
      verify: commands,
      taskId: definition.tasks.some(({ id }) => id === input.id && id !== definition.feature.id)
        ? input.id
        : null,
      acceptances,
      ledger,
      sandbox,
      freshBase: input.freshBase,
      signal: ending.signal,
      emit: (event) => context.progress(describeEvent(event)),
    });
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
    const memory = await deliver(context, ledger);
    return describeVerification({ ...verified, definition, base, criteria, sandbox, score, memory });
  } finally {
    ending.forget();
  }
}

/** What the base names, or what was detected and a person confirms. */
async function commandsToRun(
  context: CliContext,
  { verify: defined, detected, rules }: Definition,
  ledger: Ledger,
  project: string,
  yes: boolean,
): Promise<VerifyConfig> {
  if (defined?.tests || !(rules.testsRequired || rules.coverageRequired)) return defined ?? {};
  if (!detected) throw nothingToRun();
  const proposed = { ...detected.verify, ...defined };
  if (isConfirmed(ledger, project, detected.verify)) return proposed;
  if (yes || (await isRight(context, detected.verify))) {
    refuseAgents(context, 'confirm what is run to verify this project');
    confirmVerify(ledger, project, detected.verify, personName(context.env));
    return proposed;
  }
  throw new GuardKitError({
    code: 'verify.unconfirmed',
    kind: 'refused',
    message: `The base names no command that runs the tests. Recognised as ${detected.kind}:\n${asYaml(detected.verify)}`,
    hint: 'Commit these lines to .guardkit/config.yaml (`guardkit init` writes them), or confirm them once with --yes.',
  });
}

async function isRight(context: CliContext, verify: VerifyConfig): Promise<boolean> {
  if (!context.findPerson().present) return false;
  const answer = await context.ask(
    `The base names no commands. GuardKit would run:\n${asYaml(verify)}\nIs that right? [y/N] `,
  );
  return /^y/i.test(answer.trim());
}

function asYaml({ setup, tests, coverage }: VerifyConfig): string {
  const text = typeof setup === 'object' ? setup.command : setup;
  return [
    'verify:',
    ...(text === undefined ? [] : [`  setup: ${text}`]),
    ...(tests ? ['  tests:', `    command: ${tests.command}`] : []),
    ...(coverage?.command === undefined ? [] : ['  coverage:', `    command: ${coverage.command}`]),
    ...(coverage?.report === undefined ? [] : [`    report: ${coverage.report}`]),
  ].join('\n');
}

function nothingToRun(): GuardKitError {
  return new GuardKitError({
    code: 'verify.no-commands',
    kind: 'input',
    message:
      'The base names no command that runs the tests, and how this project is tested could not be recognised.',
    hint: 'Commit these lines, with your own command, to .guardkit/config.yaml:\nverify:\n  tests:\n    command: npm test',
  });
}

/** Ctrl-C ends what runs, with all that it started, before this program ends. */
function endOnSignal() {
  const controller = new AbortController();
  const end = () => controller.abort();
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
  return {
    signal: controller.signal,
    forget: () => {
      process.off('SIGINT', end);
      process.off('SIGTERM', end);
    },
  };
}
