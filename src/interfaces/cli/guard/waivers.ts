import * as z from 'zod';
import { systemClock } from '../../../platform/clock.ts';
import { activeWaivers } from '../../../store/ledger/waivers.ts';
import { oneLine, plural } from '../output/printable.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';
import { openWaivers, waiverLine } from './open-waivers.ts';

export const waivers = defineCommand({
  name: 'waivers',
  summary: 'list the waivers that hold now, and how they were used last',
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
      active.length === 0 ? 'No waiver holds.' : plural(active.length, 'waiver'),
      ...active.map((waiver) => `  ${oneLine(waiverLine(waiver), context.width - 2)}`),
      ...(used.length === 0 ? [] : ['Used last:']),
      ...used.map(({ at, body }) => {
        const line = `${at} ${String(body.waiver_id)} for ${String(body.guard)}: ${String(body.action)}`;
        return `  ${oneLine(line, context.width - 2)}`;
      }),
    ].join('\n'),
  };
}
