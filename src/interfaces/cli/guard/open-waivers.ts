import { GuardKitError } from '../../../guardkit-error.ts';
import type { Ledger } from '../../../store/ledger/ledger.ts';
import type { ActiveWaiver } from '../../../store/ledger/waivers.ts';
import type { CliContext } from '../program/cli-command.ts';

/** Where the waivers of this project are recorded. */
export async function openWaivers(context: CliContext): Promise<{ ledger: Ledger; project: string }> {
  const { project } = await context.workspace();
  if (!project.known)
    throw new GuardKitError({
      code: 'project.unknown',
      kind: 'input',
      message: `This project is not known: ${project.why}.`,
      hint: project.hint,
    });
  return { ledger: await context.ledger(), project: project.id };
}

export function waiverLine({ id, guard, until, uses, reason, by }: ActiveWaiver): string {
  const often = uses === undefined ? '' : uses === 1 ? ' once,' : ` ${uses} times,`;
  return `${id}: ${guard} may be passed${often} until ${until}, by ${by}: ${reason}`;
}
