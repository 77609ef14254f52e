import { GuardKitError } from '../../../guardkit-error.ts';
import type { PersonCheck } from '../../../platform/processes/person.ts';
import { INSIDE_AGENT, INSIDE_AGENT_VARIABLE } from '../../../platform/processes/wrapper-profile.ts';
import { PERSON_INSIDE_AGENT, personNeeded } from '../verification/person-name.ts';
import { agentsUse } from './agents-commands.ts';

/** Refuses commands, and options of commands, that an agent may not have run outside its wrapper. */
export function refuseOutside(
  line: string,
  person: PersonCheck,
  env: NodeJS.ProcessEnv,
  input: Record<string, unknown>,
): void {
  if (person.present || person.why !== INSIDE_AGENT) return;
  const use = agentsUse(line);
  const inBroker = env[INSIDE_AGENT_VARIABLE] !== undefined;
  if (use === 'other-terminal' || (use === 'inside' && inBroker))
    throw personNeeded(`run \`guardkit ${line}\``, person.why);
  // Outside it could be a file that the wrapper protects.
  if (use === 'outside' && input.out !== undefined)
    throw new GuardKitError({
      code: 'agent.output-file',
      kind: 'input',
      message: `--out ${String(input.out)}: inside the agent, \`guardkit ${line}\` only writes to standard output.`,
      hint: 'Leave out --out and redirect the output to the file.',
    });
}

/** The same error with the command to run in the other terminal. */
export function withOtherTerminal(error: unknown, args: readonly string[]): unknown {
  if (!(error instanceof GuardKitError) || error.code !== PERSON_INSIDE_AGENT) return error;
  const { code, kind, message } = error;
  const words = args.map((word) =>
    /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`,
  );
  const hint = `Open another terminal and run \`${['guardkit', ...words].join(' ')}\` there.`;
  return new GuardKitError({ code, kind, message, hint, cause: error });
}
