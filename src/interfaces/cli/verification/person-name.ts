import { userInfo } from 'node:os';
import { GuardKitError } from '../../../guardkit-error.ts';
import { INSIDE_AGENT } from '../../../platform/processes/wrapper-profile.ts';
import type { CliContext } from '../program/cli-command.ts';

/** Error code of the refusal. */
export const PERSON_NEEDED = 'person.needed';
/** The same inside an agent, where another terminal is enough. */
export const PERSON_INSIDE_AGENT = 'person.inside-agent';

export function personName(env: NodeJS.ProcessEnv): string {
  return env.GIT_AUTHOR_NAME || env.USER || userInfo().username || 'unknown';
}

/** Allows programs, such as CI, but not the agent that is being judged. */
export async function refuseAgents(context: Pick<CliContext, 'findAgent'>, what: string): Promise<void> {
  const agent = await context.findAgent();
  if (agent !== undefined) throw personNeeded(what, agent);
}

/** Throws unless a person is at the terminal. */
export function requirePerson(context: CliContext, what: string): void {
  const person = context.findPerson();
  if (!person.present) throw personNeeded(what, person.why);
}

export function personNeeded(what: string, why: string): GuardKitError {
  if (why === INSIDE_AGENT)
    return new GuardKitError({
      code: PERSON_INSIDE_AGENT,
      kind: 'refused',
      message: `Only a person may ${what}, but ${why}.`,
      hint: 'Open another terminal and run the command there.',
    });
  return new GuardKitError({
    code: PERSON_NEEDED,
    kind: 'refused',
    message: `Only a person may ${what}, but ${why}.`,
    hint: 'Run the command yourself in your own terminal.',
  });
}
