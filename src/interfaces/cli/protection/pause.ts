import * as z from 'zod';
import { GuardKitError } from '../../../guardkit-error.ts';
import { clockTime, systemClock } from '../../../platform/clock.ts';
import { currentPause, recordPauseEnd } from '../../../store/ledger/pause.ts';
import { upToOneDay } from '../input/time-input.ts';
import { openProjectLedger } from '../open-project-ledger.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';
import { personName, requirePerson } from '../verification/person-name.ts';

const DEFAULT_MS = 30 * 60_000;

export const pause = defineCommand({
  name: 'pause',
  summary: 'Pause GuardKit for a while (person only)',
  options: [
    ['--for <time>', 'Duration such as 45m or 2h, at most 24h (default: 30m)'],
    ['--reason <text>', 'Reason, for the record'],
  ],
  changes: true,
  schema: z.object({
    for: upToOneDay.default(DEFAULT_MS),
    reason: z.string().trim().max(500).default(''),
    dryRun: z.boolean().default(false),
  }),
  async run(context, { for: ms, reason, dryRun }) {
    return runPause(context, { ms, reason, dryRun });
  },
});

interface PauseInput {
  ms: number;
  reason: string;
  dryRun: boolean;
}

async function runPause(context: CliContext, { ms, reason, dryRun }: PauseInput): Promise<Report> {
  const { ledger, project } = await openProjectLedger(context);
  const now = systemClock();
  const pause = { until: new Date(now + ms).toISOString(), reason, by: personName(context.env) };
  const time = clockTime(pause.until, now);
  if (dryRun) return { json: { pause, recorded: false }, text: `Would pause GuardKit until ${time}.` };
  requirePerson(context, 'pause GuardKit');
  // Typed, so that a program with a terminal, such as a test that the person runs, cannot do it unseen.
  const typed = await context.ask(
    `Until ${time}, this project’s rules will not apply to any agent.\nType pause to confirm: `,
  );
  if (typed.trim().toLowerCase() !== 'pause')
    throw new GuardKitError({
      code: 'pause.cancelled',
      kind: 'refused',
      message: 'Cancelled; GuardKit stays on.',
      hint: 'Run the command again and type pause.',
    });
  const before = currentPause(ledger, project, now);
  recordPauseEnd(ledger, project, now);
  ledger.append(project, 'protection_paused', pause);
  return {
    json: { pause, recorded: true },
    text: [
      `GuardKit is paused until ${time}${before ? ` (before: ${clockTime(before.until, now)})` : ''}.`,
      'Until then, hooks do not judge actions or restore files, and agents’ commands run without the sandbox. Agents are told about the pause.',
      '`guardkit verify` works as before. `guardkit resume` ends the pause.',
    ].join('\n'),
  };
}
