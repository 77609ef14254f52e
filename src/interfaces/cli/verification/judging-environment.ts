import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { personsEnvironment } from '../../../enforcement/hooks/persons-environment.ts';
import { lookForGitIn } from '../../../platform/git/safe-git.ts';
import { INSIDE_AGENT_VARIABLE } from '../../../platform/processes/wrapper-profile.ts';
import type { CliContext } from '../program/cli-command.ts';

const MAX_NAMED = 8;

/** What commands that judge are given: the person's own environment, also where an agent asks for the judgement. */
export async function judgingEnvironment(
  context: CliContext,
): Promise<{ env: NodeJS.ProcessEnv; told: string[] }> {
  // The broker has given it the person's environment.
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
      `Commands that judge have a person’s environment: ${leftOut.slice(0, MAX_NAMED).join(', ')}${more} ${leftOut.length === 1 ? 'is' : 'are'} as the agent’s program was given ${leftOut.length === 1 ? 'it' : 'them'}.`,
    ],
  };
}

/** The same for a command that builds: for all that it starts, until it ends, and told at once. */
export async function buildingEnvironment(context: CliContext): Promise<NodeJS.ProcessEnv> {
  const { env, told } = await judgingEnvironment(context);
  for (const text of told) context.progress(`! ${text}`);
  if (env !== context.env) lookForGitIn(env.PATH);
  return env;
}
