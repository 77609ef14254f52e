import * as z from 'zod';
import { didYouMean, nearestWord } from '../../../domain/nearest-word.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { systemClock } from '../../../platform/clock.ts';
import { activeWaivers } from '../../../store/ledger/waivers.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';
import { personName, requirePerson } from '../verification/person-name.ts';
import { openWaivers, waiverLine } from './waivers.ts';

export const revoke = defineCommand({
  name: 'revoke',
  summary: 'Revoke a waiver (person only)',
  arguments: [['<id>', 'Waiver id, from `guardkit guard waivers`']],
  changes: true,
  schema: z.object({ id: z.string().min(1), dryRun: z.boolean().default(false) }),
  run: runRevoke,
});

async function runRevoke(
  context: CliContext,
  { id, dryRun }: { id: string; dryRun: boolean },
): Promise<Report> {
  const { ledger, project } = await openWaivers(context);
  const active = activeWaivers(ledger, project, systemClock());
  const waiver = active.find((one) => one.id === id);
  if (!waiver)
    throw unknown(
      id,
      active.map((one) => one.id),
    );
  if (dryRun) return { json: { waiver, revoked: false }, text: `would revoke ${waiverLine(waiver)}` };
  requirePerson(context, 'revoke a waiver');
  ledger.append(project, 'waiver_revoked', { waiver_id: id, by: personName(context.env) });
  return { json: { waiver, revoked: true }, text: `Waiver revoked; ${waiver.guard} is enforced again.` };
}

function unknown(id: string, active: readonly string[]): GuardKitError {
  const near = nearestWord(id, active);
  return new GuardKitError({
    code: 'waiver.unknown',
    kind: 'input',
    message: `No active waiver ${id.slice(0, 80)}.${didYouMean(near)}`,
    hint: active.length === 0 ? 'No waiver is active.' : `Active: ${active.join(', ')}.`,
  });
}
