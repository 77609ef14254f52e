import * as z from 'zod';
import { OUTCOMES } from '../../../domain/entities/verification.ts';

const text = z.string();
const outcome = z.enum(OUTCOMES);
const gates = z.array(z.object({ gate: text, result: outcome, required: z.boolean(), reason: text }));

/** As in `guardkit ci --json`. */
export const ciReportSchema = z.object({
  outcome,
  head: text,
  base: text,
  base_is: text,
  sandbox: text.nullable(),
  gates,
  claims: z.array(
    z.object({
      claim: text,
      id: text.nullable(),
      title: text,
      tested: z.boolean(),
      outcome,
      gates,
      criteria: z.array(z.object({ id: text, text, tests: z.array(text) })),
    }),
  ),
  findings: z.array(
    z.object({
      gate: text,
      level: z.enum(['error', 'warning']),
      path: text.optional(),
      line: z.number().optional(),
      message: text,
    }),
  ),
});
export type CiReport = z.infer<typeof ciReportSchema>;
