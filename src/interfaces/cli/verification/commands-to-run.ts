import type { VerifyConfig } from '../../../config/project/verify-config.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import type { Ledger } from '../../../store/ledger/ledger.ts';
import { confirmVerify, settledCommands } from '../../../verification/confirmed-commands.ts';
import type { Definition } from '../../../verification/definition/load-definition.ts';
import type { CliContext } from '../program/cli-command.ts';
import { personName, refuseAgents } from './person-name.ts';

/** What the base names, or what was detected and a person confirms. */
export async function commandsToRun(
  context: CliContext,
  definition: Definition,
  ledger: Ledger,
  project: string,
  yes: boolean,
): Promise<VerifyConfig> {
  const settled = settledCommands(definition, ledger, project);
  if (settled) return settled;
  const { verify: defined, detected } = definition;
  if (!detected) throw nothingToRun();
  if (yes || (await isRight(context, detected.verify))) {
    await refuseAgents(context, 'confirm what is run to verify this project');
    confirmVerify(ledger, project, detected.verify, personName(context.env));
    return { ...detected.verify, ...defined };
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
