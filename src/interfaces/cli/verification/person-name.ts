import { userInfo } from 'node:os';
import { GuardKitError } from '../../../guardkit-error.ts';
import { INSIDE_AGENT } from '../../../platform/processes/wrapper-profile.ts';
import type { CliContext } from '../program/cli-command.ts';

/** The code of the refusal. */
export const PERSON_NEEDED = 'person.needed';
/** The same where the command runs inside the agent, and another terminal is all it takes. */
export const PERSON_INSIDE_AGENT = 'person.inside-agent';

/** Who vouches. */
export function personName(env: NodeJS.ProcessEnv): string {
  return env.GIT_AUTHOR_NAME || env.USER || userInfo().username || 'unknown';
}

/** A program may run in place of a person, as in CI, but not one that is being judged. */
export async function refuseAgents(context: Pick<CliContext, 'findAgent'>, what: string): Promise<void> {
  const agent = await context.findAgent();
  if (agent !== undefined) throw personNeeded(what, agent);
}

/** Only a person at a terminal may say this. */
export function requirePerson(context: CliContext, what: string): void {
  const person = context.findPerson();
  if (!person.present) throw personNeeded(what, person.why);
}

export function personNeeded(what: string, why: string): GuardKitError {
  if (why === INSIDE_AGENT)
    return new GuardKitError({
      code: PERSON_INSIDE_AGENT,
      kind: 'refused',
      message: `Only a person may ${what}, and ${why}.`,
      hint: 'Open another terminal and run the command there.',
    });
  return new GuardKitError({
    code: PERSON_NEEDED,
    kind: 'refused',
    message: `Only a person may ${what}, and ${why}.`,
    hint: 'Run the command yourself, in a terminal of your own.',
  });
}
