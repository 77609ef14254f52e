import * as z from 'zod';
import { isTimestamp, parseTimestamp } from '../../../domain/timestamp.ts';
import { GuardKitError } from '../../../guardkit-error.ts';

const MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

export const DAY_MS = MS.d;

/** A time such as `30m`, at most 24 hours, in milliseconds. */
export const upToOneDay = z
  .string()
  .regex(/^[0-9]{1,5}[smhd]$/, 'expected a time such as 30m or 2h')
  .transform((text) => Number(text.slice(0, -1)) * MS[text.slice(-1) as keyof typeof MS])
  .refine((ms) => ms > 0 && ms <= MS.d, 'expected a time from 1s to 24h');

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** Reads `--since`: a date, a time, or an age such as 30m, 12h, 2d or 1w. */
export function pastTime(text: string, now: number): string {
  const age = /^([0-9]{1,4})([mhdw])$/.exec(text);
  if (age) return new Date(now - Number(age[1]) * UNIT_MS[age[2] as keyof typeof UNIT_MS]).toISOString();
  if (/^\d{4}-\d{2}-\d{2}$/.test(text) ? isTimestamp(`${text}T00:00:00Z`) : isTimestamp(text))
    return parseTimestamp(text);
  throw new GuardKitError({
    code: 'time.format',
    kind: 'input',
    message: `--since "${text.slice(0, 60)}": invalid time.`,
    hint: 'Use a date such as 2026-11-15, a time such as 2026-11-15T09:30:00Z, or an age such as 12h, 7d or 12w.',
  });
}
