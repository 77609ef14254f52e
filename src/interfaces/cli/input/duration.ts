import * as z from 'zod';

const MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

export const DAY_MS = MS.d;

/** A time such as `30m`, at most 24 hours, in milliseconds. */
export const upToOneDay = z
  .string()
  .regex(/^[0-9]{1,5}[smhd]$/, 'a time such as 30m or 2h is expected')
  .transform((text) => Number(text.slice(0, -1)) * MS[text.slice(-1) as keyof typeof MS])
  .refine((ms) => ms > 0 && ms <= MS.d, 'a time from 1s to 24h is expected');
