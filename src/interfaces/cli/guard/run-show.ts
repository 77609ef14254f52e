import { systemClock } from '../../../platform/clock.ts';
import { activeWaivers } from '../../../store/ledger/waivers.ts';
import type { CliContext, Report } from '../cli-command.ts';
import { oneLine } from '../printable.ts';
import { guardJson, openGuards, requireGuard } from './open-guards.ts';
import { openWaivers, waiverLine } from './open-waivers.ts';

export async function runShow(context: CliContext, { guard: id }: { guard: string }): Promise<Report> {
  const { guards, sources, faults } = await openGuards(context);
  const guard = requireGuard(guards, id);
  const { ledger, project } = await openWaivers(context);
  const waivers = activeWaivers(ledger, project, systemClock()).filter((one) => one.guard === id);
  const shown = guardJson(guard, sources);
  const definition = sources.files.find((one) => one.definition.id === id)?.definition ?? null;
  const field = (name: string, value: string | null) =>
    value ? [`  ${name.padEnd(9)} ${oneLine(value, context.width)}`] : [];
  return {
    json: { ...shown, definition, waivers },
    text: [
      oneLine(`${id}: ${guard.summary}`, context.width),
      ...field('mode', shown.mode),
      ...field('sessions', shown.sessions),
      ...field('judges', shown.kinds.join(', ')),
      ...field('from', shown.file ?? 'GuardKit itself'),
      ...(shown.stale ? ['  Its file has faults; it holds as it was last read.'] : []),
      ...field('expires', shown.expires),
      ...field('decides', definition?.decision ?? null),
      ...field('reason', definition?.reason ?? null),
      ...field('guidance', definition?.guidance ?? null),
      ...waivers.map((waiver) => `  ${waiverLine(waiver)}`),
    ].join('\n'),
    notices: faults,
  };
}
