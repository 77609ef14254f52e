import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { VerifyConfig } from '../../../config/project/verify-config.ts';
import { personsEnvironment } from '../../../enforcement/hooks/persons-environment.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { lookForGitIn } from '../../../platform/git/safe-git.ts';
import { INSIDE_AGENT_VARIABLE } from '../../../platform/processes/wrapper-profile.ts';
import type { Ledger } from '../../../store/ledger/ledger.ts';
import { confirmVerify, settledCommands } from '../../../verification/confirmed-commands.ts';
import type { Definition } from '../../../verification/definition/load-definition.ts';
import type { CliContext } from '../program/cli-command.ts';
import { personName, refuseAgents } from './person-name.ts';

/** The base's commands, or detected ones that a person confirms. */
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
    await refuseAgents(context, 'confirm the commands that verify this project');
    confirmVerify(ledger, project, detected.verify, personName(context.env));
    return { ...detected.verify, ...defined };
  }
  throw new GuardKitError({
    code: 'verify.unconfirmed',
    kind: 'refused',
    message: `No test command in the committed configuration. Detected ${detected.kind}:\n${configLines(detected.verify)}`,
    hint: 'Commit these lines to .guardkit/config.yaml (`guardkit init` writes them), or confirm them once with --yes.',
  });
}

async function isRight(context: CliContext, verify: VerifyConfig): Promise<boolean> {
  if (!context.findPerson().present) return false;
  const answer = await context.ask(
    `No commands in the committed configuration. GuardKit would run:\n${configLines(verify)}\nIs this right? [y/N] `,
  );
  return /^y/i.test(answer.trim());
}

/** The commands as they belong in .guardkit/config.yaml. */
export function configLines({ setup, tests, coverage }: VerifyConfig): string {
  const command = typeof setup === 'object' ? setup.command : setup;
  const verify = {
    ...(command === undefined ? {} : { setup: command }),
    ...(tests ? { tests } : {}),
    ...(coverage ? { coverage } : {}),
  };
  return stringify({ verify }, { lineWidth: 0 }).trimEnd();
}

function nothingToRun(): GuardKitError {
  return new GuardKitError({
    code: 'verify.no-commands',
    kind: 'input',
    message: 'No test command in the committed configuration, and none was detected.',
    hint: 'Commit these lines, with your own command, to .guardkit/config.yaml:\nverify:\n  tests:\n    command: npm test',
  });
}

const MAX_NAMED = 8;

/** Verification runs in the person's environment, even when an agent starts it. */
export async function judgingEnvironment(
  context: CliContext,
): Promise<{ env: NodeJS.ProcessEnv; told: string[] }> {
  // The broker already set the person's environment.
  if (context.env[INSIDE_AGENT_VARIABLE] !== undefined) return { env: context.env, told: [] };
  const { home, root } = await context.workspace();
  const nobody = root === undefined || !existsSync(join(home, 'ledger.db')) || context.findPerson().present;
  if (nobody) return { env: context.env, told: [] };
  const watch = { ledger: await context.ledger(), checkout: realpathSync(root) };
  const { env, leftOut } = personsEnvironment(watch, context.env);
  if (leftOut.length === 0) return { env, told: [] };
  const more = leftOut.length > MAX_NAMED ? ` and ${leftOut.length - MAX_NAMED} more` : '';
  return {
    env,
    told: [
      `Verification ignores environment variables that the agent changed: ${leftOut.slice(0, MAX_NAMED).join(', ')}${more}.`,
    ],
  };
}

/** The same for a build and everything it starts; reports at once. */
export async function buildingEnvironment(context: CliContext): Promise<NodeJS.ProcessEnv> {
  const { env, told } = await judgingEnvironment(context);
  for (const text of told) context.progress(`! ${text}`);
  if (env !== context.env) lookForGitIn(env.PATH);
  return env;
}
