import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { GuardKitError } from '../../../guardkit-error.ts';
import { systemClock } from '../../../platform/clock.ts';
import { DAY_MS, upToOneDay } from '../input/time-input.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';
import { personName, requirePerson } from '../verification/person-name.ts';
import { openGuards, requireGuard } from './open-guards.ts';
import { openWaivers, waiverLine } from './waivers.ts';

export const allow = defineCommand({
  name: 'allow',
  summary: 'Waive a guard once or for a while (person only)',
  arguments: [['<guard>', 'Guard id']],
  options: [
    ['--once', 'For one action within the next 24 hours'],
    ['--for <time>', 'For a time such as 30m or 2h, at most 24h'],
    ['--reason <text>', 'Reason, for the record (required)'],
  ],
  changes: true,
  schema: z
    .object({
      guard: z.string().min(1),
      once: z.boolean().default(false),
      for: upToOneDay.optional(),
      reason: z
        .string('required, for example --reason "the migration needs it"')
        .trim()
        .min(1, 'must not be empty')
        .max(1000),
      dryRun: z.boolean().default(false),
    })
    .refine(({ once, for: time }) => once !== (time !== undefined), 'Use either --once or --for.'),
  run: (context, input) => runAllow(context, { ...input, ms: input.for ?? DAY_MS }),
});

interface AllowInput {
  guard: string;
  once: boolean;
  ms: number;
  reason: string;
  dryRun: boolean;
}

/** Guards that cannot be waived, with what to do instead. */
const NEVER: Readonly<Record<string, string>> = {
  'block-tested-true': 'Run `guardkit verify FEATURE`; it sets tested if the gates pass.',
  'waiver-forgery': 'Run the command that it refused an agent yourself, in your own terminal.',
};

async function runAllow(context: CliContext, input: AllowInput): Promise<Report> {
  const { guards } = await openGuards(context);
  const { id: guard } = requireGuard(guards, input.guard);
  const hint = Object.hasOwn(NEVER, guard) ? NEVER[guard] : undefined;
  if (hint !== undefined)
    throw new GuardKitError({
      code: 'waiver.impossible',
      kind: 'refused',
      message: `${guard} cannot be waived.`,
      hint,
    });
  const { ledger, project } = await openWaivers(context);
  const now = systemClock();
  const waiver = {
    waiver_id: `w-${randomBytes(4).toString('hex')}`,
    guard,
    until: new Date(now + input.ms).toISOString(),
    uses: input.once ? 1 : null,
    reason: input.reason,
    by: personName(context.env),
  };
  const line = waiverLine({ ...waiver, id: waiver.waiver_id, uses: waiver.uses ?? undefined });
  if (input.dryRun) return { json: { waiver, issued: false }, text: `would record ${line}` };
  const person = context.findPerson();
  // Before the refusal, so that the attempt is recorded.
  if (!person.present)
    ledger.append(project, 'waiver_refused', { guard, why: person.why, reason: input.reason });
  requirePerson(context, 'waive a guard');
  // Typed, so that a stray yes does not waive a guard.
  const typed = await context.ask(
    `This waives the guard ${guard} for agents:\n  ${line}\nType ${guard} to confirm: `,
  );
  if (typed.trim() !== guard)
    throw new GuardKitError({
      code: 'waiver.declined',
      kind: 'refused',
      message: 'Cancelled; nothing changed.',
      hint: `To allow it, run the command again and type ${guard}.`,
    });
  ledger.append(project, 'waiver_issued', waiver);
  return {
    json: { waiver, issued: true },
    text: `${line}\n\`guardkit guard revoke ${waiver.waiver_id}\` revokes it.`,
  };
}
