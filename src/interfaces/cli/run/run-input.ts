import * as z from 'zod';
import { workIdSchema } from '../../../domain/entities/work-id.ts';
import type { SessionLimits } from '../../../orchestration/session/session.ts';
import { driver, maxTurns, promptTokens, timeout, usd } from '../feature-build/build-input.ts';
import { optionalWholeNumber } from '../input/whole-number.ts';

const CLOCK = /^([01]?[0-9]|2[0-3]):([0-5][0-9])$/;
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})?$/;

const SUCH_AS = 'such as 07:00 or 2030-01-31T07:00';

type Until = { ok: true; until: string } | { ok: false; why: string };

/** End time; `07:00` is the next 07:00 in local time. */
export function readUntil(text: string, now: number): Until {
  const clock = CLOCK.exec(text);
  if (!clock) {
    const moment = MOMENT.test(text) ? Date.parse(text) : Number.NaN;
    if (Number.isNaN(moment))
      return { ok: false, why: `expected a time ${SUCH_AS}, got "${text.slice(0, 40)}"` };
    if (moment <= now) return { ok: false, why: `${text} is in the past; expected a future time ${SUCH_AS}` };
    return { ok: true, until: new Date(moment).toISOString() };
  }
  const next = new Date(now);
  next.setHours(Number(clock[1]), Number(clock[2]), 0, 0);
  if (next.getTime() <= now) next.setDate(next.getDate() + 1);
  return { ok: true, until: next.toISOString() };
}

const until = z.string().transform((text, issues) => {
  const read = readUntil(text, Date.now());
  if (read.ok) return read.until;
  issues.addIssue({ code: 'custom', message: read.why });
  return z.NEVER;
});

/** Repeated or comma-separated. */
const features = z
  .array(z.string())
  .default([])
  .transform((texts) => texts.flatMap((text) => text.split(',')).map((id) => id.trim()))
  .pipe(z.array(workIdSchema).max(1000));

export const runInputSchema = z.object({
  driver,
  coachDriver: driver,
  scenario: z.string().min(1).optional(),
  brief: z.string().min(1).optional(),
  features,
  maxFeatures: optionalWholeNumber(100_000),
  maxTurns,
  budgetUsd: usd.optional(),
  until: until.optional(),
  timeout,
  promptTokens,
  acceptRedBaseline: z.boolean().default(false),
  workers: optionalWholeNumber(100),
  yes: z.boolean().default(false),
  verbose: z.boolean().default(false),
  jsonEvents: z.boolean().default(false),
  dryRun: z.boolean().default(false),
});

export type RunInput = z.infer<typeof runInputSchema>;

/** The given limits; null if omitted. */
export function namedLimits({ until, maxFeatures, budgetUsd, features }: RunInput): SessionLimits {
  return {
    until: until ?? null,
    max_features: maxFeatures ?? null,
    budget_usd: budgetUsd ?? null,
    only: features.length > 0 ? features : null,
  };
}
