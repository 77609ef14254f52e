import { GuardKitError } from '../../../guardkit-error.ts';
import { clockTime, systemClock } from '../../../platform/clock.ts';
import { currentPause, recordPauseEnd } from '../../../store/ledger/pause.ts';
import { openProjectLedger } from '../open-project-ledger.ts';
import type { CliContext, Report } from '../program/cli-command.ts';
import { personName, requirePerson } from '../verification/person-name.ts';

interface PauseInput {
  ms: number;
  reason: string;
  dryRun: boolean;
}

export async function runPause(context: CliContext, { ms, reason, dryRun }: PauseInput): Promise<Report> {
  const { ledger, project } = await openProjectLedger(context);
  const now = systemClock();
  const pause = { until: new Date(now + ms).toISOString(), reason, by: personName(context.env) };
  const time = clockTime(pause.until, now);
  if (dryRun) return { json: { pause, recorded: false }, text: `Would pause GuardKit until ${time}.` };
  requirePerson(context, 'pause GuardKit');
  // Typed, so that a program with a terminal, such as a test that the person runs, cannot do it unseen.
  const typed = await context.ask(
    `Until ${time} no agent is held to the rules of this project.\nType pause to confirm: `,
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
      'Until then hooks judge and restore nothing, and agents’ commands run without the sandbox. Agents are told so.',
      '`guardkit verify` works as before. `guardkit resume` ends the pause.',
    ].join('\n'),
  };
}
