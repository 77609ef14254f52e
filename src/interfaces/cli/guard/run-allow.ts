import { randomBytes } from 'node:crypto';
import { GuardKitError } from '../../../guardkit-error.ts';
import { systemClock } from '../../../platform/clock.ts';
import type { CliContext, Report } from '../program/cli-command.ts';
import { personName, requirePerson } from '../verification/person-name.ts';
import { openGuards, requireGuard } from './open-guards.ts';
import { openWaivers, waiverLine } from './open-waivers.ts';

interface AllowInput {
  guard: string;
  once: boolean;
  ms: number;
  reason: string;
  dryRun: boolean;
}

/** What no word of a person's can change: what was seen, and who is a person. */
const NEVER: Readonly<Record<string, string>> = {
  'block-tested-true': 'Run `guardkit verify FEATURE`: what passes its gates is tested.',
  'waiver-forgery': 'Run the command yourself, in a terminal of your own.',
};

export async function runAllow(context: CliContext, input: AllowInput): Promise<Report> {
  const { guards } = await openGuards(context);
  const { id: guard } = requireGuard(guards, input.guard);
  const hint = Object.hasOwn(NEVER, guard) ? NEVER[guard] : undefined;
  if (hint !== undefined)
    throw new GuardKitError({
      code: 'waiver.impossible',
      kind: 'refused',
      message: `${guard} cannot be passed over.`,
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
  // Before the refusal: that somebody tried is what a person wants to know.
  if (!person.present)
    ledger.append(project, 'waiver_refused', { guard, why: person.why, reason: input.reason });
  requirePerson(context, 'let a guard be passed');
  // Typed, not just confirmed: a yes that was meant for another question lets nothing pass.
  const typed = await context.ask(
    `This lets agents pass the guard ${guard}:\n  ${line}\nType ${guard} to confirm: `,
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
    text: `${line}\n\`guardkit guard revoke ${waiver.waiver_id}\` takes it back.`,
  };
}
