import * as z from 'zod';
import { GuardKitError } from '../../../guardkit-error.ts';
import { systemClock } from '../../../platform/clock.ts';
import type { Ledger } from '../../../store/ledger/ledger.ts';
import { type ActiveWaiver, activeWaivers } from '../../../store/ledger/waivers.ts';
import { oneLine, plural } from '../output/printable.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';

export const waivers = defineCommand({
  name: 'waivers',
  summary: 'List active waivers and the latest waiver uses',
  schema: z.object({}),
  run: runWaivers,
});

const SHOWN_USES = 10;

async function runWaivers(context: CliContext): Promise<Report> {
  const { ledger, project } = await openWaivers(context);
  const active = activeWaivers(ledger, project, systemClock());
  const used = ledger.entries(project, { kind: 'waiver_used' }).slice(-SHOWN_USES);
  return {
    json: { waivers: active, used: used.map(({ at, body }) => ({ at, ...body })) },
    text: [
      active.length === 0 ? 'No waiver is active.' : plural(active.length, 'waiver'),
      ...active.map((waiver) => `  ${oneLine(waiverLine(waiver), context.width - 2)}`),
      ...(used.length === 0 ? [] : ['Latest uses:']),
      ...used.map(({ at, body }) => {
        const line = `${at} ${String(body.waiver_id)} for ${String(body.guard)}: ${String(body.action)}`;
        return `  ${oneLine(line, context.width - 2)}`;
      }),
    ].join('\n'),
  };
}

/** The ledger with this project's waivers. */
export async function openWaivers(context: CliContext): Promise<{ ledger: Ledger; project: string }> {
  const { project } = await context.workspace();
  if (!project.known)
    throw new GuardKitError({
      code: 'project.unknown',
      kind: 'input',
      message: `GuardKit is not set up in this project: ${project.why}.`,
      hint: project.hint,
    });
  return { ledger: await context.ledger(), project: project.id };
}

export function waiverLine({ id, guard, until, uses, reason, by }: ActiveWaiver): string {
  const often = uses === undefined ? '' : uses === 1 ? ' once,' : ` ${uses} times,`;
  return `${id}: ${guard} is waived${often} until ${until}, by ${by}: ${reason}`;
}
