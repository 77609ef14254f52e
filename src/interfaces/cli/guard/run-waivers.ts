import { systemClock } from '../../../platform/clock.ts';
import { activeWaivers } from '../../../store/ledger/waivers.ts';
import { oneLine, plural } from '../output/printable.ts';
import type { CliContext, Report } from '../program/cli-command.ts';
import { openWaivers, waiverLine } from './open-waivers.ts';

const SHOWN_USES = 10;

export async function runWaivers(context: CliContext): Promise<Report> {
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
