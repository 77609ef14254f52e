import * as z from 'zod';
import { DRIVERS } from '../../../config/project-config.ts';
import { wholeNumber } from '../whole-number.ts';

/** What a person says of anything that agents are run for. */
export const buildInputSchema = z.object({
  id: z.string().min(1),
  driver: z.enum(DRIVERS).optional(),
  coachDriver: z.enum(DRIVERS).optional(),
  scenario: z.string().min(1).optional(),
  budgetUsd: z.coerce.number().positive().optional(),
  timeout: wholeNumber(86_400, 3600),
  promptTokens: wholeNumber(1_000_000, 40_000),
  base: z.string().min(1).optional(),
  acceptRedBaseline: z.boolean().default(false),
  requirePlan: z.boolean().default(false),
  yes: z.boolean().default(false),
  verbose: z.boolean().default(false),
});

export type BuildInput = z.infer<typeof buildInputSchema>;
