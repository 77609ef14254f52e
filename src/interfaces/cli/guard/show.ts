import * as z from 'zod';
import { guardFileSchema } from '../../../config/guard-files/guard-file.ts';
import { guardRecord } from '../../../learning/proposals/guard-record.ts';
import { systemClock } from '../../../platform/clock.ts';
import { lastApprovals } from '../../../store/ledger/approvals.ts';
import { keptActions } from '../../../store/ledger/tables/kept-actions.ts';
import { activeWaivers } from '../../../store/ledger/waivers.ts';
import { oneLine } from '../output/printable.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';
import { describeBacktest } from './learned-guard.ts';
import { guardJson, openGuards, openGuardsInForce, requireGuard } from './open-guards.ts';
import { openWaivers, waiverLine } from './waivers.ts';

export const show = defineCommand({
  name: 'show',
  summary: 'Show a guard’s rule, mode and waivers',
  arguments: [['<guard>', 'Guard id']],
  schema: z.object({ guard: z.string().min(1) }),
  run: runShow,
});

async function runShow(context: CliContext, { guard: id }: { guard: string }): Promise<Report> {
  const inForce = await openGuardsInForce(context);
  // Also shows a guard that is not committed yet.
  const open = inForce.guards.some((guard) => guard.id === id) ? inForce : await openGuards(context);
  const { guards, sources, faults, learned } = open;
  const guard = requireGuard(guards, id);
  const { ledger, project } = await openWaivers(context);
  const waivers = activeWaivers(ledger, project, systemClock()).filter((one) => one.guard === id);
  const shown = guardJson(guard, open);
  const made = learned.find((one) => one.guard_id === id);
  const definition =
    sources.files.find((one) => one.definition.id === id)?.definition ??
    (made ? guardFileSchema.parse(made.definition) : null);
  const record = made
    ? guardRecord(ledger, project, id, {
        since: Date.parse(made.mode_since),
        kept: keptActions(ledger, project, { likely: (_kind, text) => text.includes(id) }),
        approvals: lastApprovals(ledger, project),
      })
    : null;
  const field = (name: string, value: string | null) =>
    value ? [`  ${name.padEnd(9)} ${oneLine(value, context.width)}`] : [];
  return {
    json: { ...shown, definition, waivers, backtest: made?.backtest ?? null, record },
    text: [
      oneLine(`${id}: ${guard.summary}`, context.width),
      ...field('mode', shown.mode),
      ...field('sessions', shown.sessions),
      ...field('judges', shown.kinds.join(', ')),
      ...field(
        'from',
        shown.file ?? (made ? `${made.pattern_id}, learned in ${made.origin}` : 'GuardKit itself'),
      ),
      ...(shown.stale ? ['  Its file has faults; the last valid version is in force.'] : []),
      ...field(shown.expired ? 'expired' : 'expires', shown.expires),
      ...field('decides', definition?.decision ?? null),
      ...field('reason', definition?.reason ?? null),
      ...field('guidance', definition?.guidance ?? null),
      ...(made ? describeBacktest(made.backtest, context.width) : []),
      ...(record
        ? [
            `  since ${made?.mode_since}: fired ${record.fired}, refused ${record.refused}, warned ${record.warned}, waived ${record.waived}`,
          ]
        : []),
      ...waivers.map((waiver) => `  ${waiverLine(waiver)}`),
    ].join('\n'),
    notices: faults,
  };
}
