import * as z from 'zod';
import { clockTime, systemClock } from '../../../platform/clock.ts';
import { currentPause, recordPauseEnd } from '../../../store/ledger/pause.ts';
import { openProjectLedger } from '../open-project-ledger.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';
import { personName, requirePerson } from '../verification/person-name.ts';

export const resume = defineCommand({
  name: 'resume',
  summary: 'End a pause now (person only)',
  changes: true,
  schema: z.object({ dryRun: z.boolean().default(false) }),
  async run(context, { dryRun }) {
    return runResume(context, dryRun);
  },
});

async function runResume(context: CliContext, dryRun: boolean): Promise<Report> {
  const { ledger, project } = await openProjectLedger(context);
  const now = systemClock();
  const pause = currentPause(ledger, project, now);
  if (!pause) {
    if (!dryRun && context.findPerson().present) recordPauseEnd(ledger, project, now);
    return { json: { resumed: false, was_paused_until: null }, text: 'GuardKit is not paused.' };
  }
  const { until } = pause;
  if (dryRun)
    return {
      json: { resumed: false, was_paused_until: until },
      text: `Would end the pause that lasts until ${clockTime(until, now)}.`,
    };
  requirePerson(context, 'resume GuardKit');
  ledger.append(project, 'protection_resumed', { by: personName(context.env), automatic: false });
  return { json: { resumed: true, was_paused_until: until }, text: 'GuardKit is on again.' };
}
