import * as z from 'zod';
import { workIdSchema } from '../../../domain/work-id.ts';
import { driver, usd } from '../build/build-input.ts';
import { wholeNumber } from '../whole-number.ts';
import { readUntil } from './read-until.ts';

const until = z.string().transform((text, issues) => {
  const read = readUntil(text, Date.now());
  if (read !== undefined) return read;
  issues.addIssue({
    code: 'custom',
    message: 'a time to come is expected, such as 07:00 or 2030-01-31T07:00',
  });
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
  maxFeatures: wholeNumber(100_000, 100_000).optional(),
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
