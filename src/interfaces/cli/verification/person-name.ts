import { userInfo } from 'node:os';
import { GuardKitError } from '../../../guardkit-error.ts';
import { findAgent } from '../../../platform/person.ts';
import type { CliContext } from '../cli-command.ts';

/** Who vouches. */
export function personName(env: NodeJS.ProcessEnv): string {
  return env.GIT_AUTHOR_NAME || env.USER || userInfo().username || 'unknown';
}

/** A program may run in place of a person, as in CI, but not one that is being judged. */
export function refuseAgents({ env }: Pick<CliContext, 'env'>, what: string): void {
  const agent = findAgent(env);
  if (agent === undefined) return;
  throw new GuardKitError({
    code: 'person.needed',
    kind: 'refused',
    message: `Only a person may ${what}, and ${agent}.`,
    hint: 'Run the command yourself, in a terminal of your own.',
  });
}

/** Only a person at a terminal may say this. */
export function requirePerson(context: CliContext, what: string): void {
  const person = context.findPerson();
  if (person.present) return;
  throw new GuardKitError({
    code: 'person.needed',
    kind: 'refused',
    message: `Only a person may ${what}, and ${person.why}.`,
    hint: 'Run the command yourself, in a terminal of your own.',
  });
}
