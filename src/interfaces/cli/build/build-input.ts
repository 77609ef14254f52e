import * as z from 'zod';
import { DRIVERS } from '../../../config/project/project-config.ts';
import { promptTokens, timeout } from './agent-limits.ts';

export const usd = z
  .string()
  .regex(/^[0-9]{1,9}(?:\.[0-9]{1,6})?$/, 'expected an amount in US dollars, such as 5 or 2.50')
  .transform(Number)
  .refine((amount) => amount > 0, 'expected more than 0; omit it for no limit');

export const driver = z
  .enum(DRIVERS, { error: ({ input }) => `"${input}" is not a driver; use one of ${DRIVERS.join(', ')}` })
  .optional();

/** Options of every command that runs agents. */
export const buildInputSchema = z.object({
  id: z.string().min(1),
  driver,
  coachDriver: driver,
  scenario: z.string().min(1).optional(),
  budgetUsd: usd.optional(),
  timeout,
  promptTokens,
  base: z.string().min(1).optional(),
  acceptRedBaseline: z.boolean().default(false),
  requirePlan: z.boolean().default(false),
  yes: z.boolean().default(false),
  verbose: z.boolean().default(false),
});

export type BuildInput = z.infer<typeof buildInputSchema>;
