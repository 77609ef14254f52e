import * as z from 'zod';
import { workIdSchema } from '../../../domain/entities/work-id.ts';
import type { SessionLimits } from '../../../orchestration/session/session.ts';
import { driver, usd } from '../build/build-input.ts';
import { optionalWholeNumber, wholeNumber } from '../input/whole-number.ts';
import { readUntil } from './read-until.ts';

const until = z.string().transform((text, issues) => {
  const read = readUntil(text, Date.now());
  if (read.ok) return read.until;
  issues.addIssue({ code: 'custom', message: read.why });
  return z.NEVER;
});

/** Repeated, or with commas. */
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
  maxTurns: wholeNumber(200, 5),
  budgetUsd: usd.optional(),
  until: until.optional(),
  timeout: wholeNumber(86_400, 3600),
  promptTokens: wholeNumber(1_000_000, 40_000),
  acceptRedBaseline: z.boolean().default(false),
  yes: z.boolean().default(false),
  verbose: z.boolean().default(false),
  jsonEvents: z.boolean().default(false),
  dryRun: z.boolean().default(false),
});

export type RunInput = z.infer<typeof runInputSchema>;

/** The limits that a person names; null for each that they do not. */
export function namedLimits({ until, maxFeatures, budgetUsd, features }: RunInput): SessionLimits {
  return {
    until: until ?? null,
    max_features: maxFeatures ?? null,
    budget_usd: budgetUsd ?? null,
    only: features.length > 0 ? features : null,
  };
}
