import type { CliContext } from '../program/cli-command.ts';

/** Whether the person says yes; anything else is no. */
export async function confirm(context: Pick<CliContext, 'ask'>, question: string): Promise<boolean> {
  return /^y/i.test((await context.ask(`${question} [y/N] `)).trim());
}
