import * as z from 'zod';
import { criterionStatusSchema, playerDecisionSchema } from './turn-state.ts';

const count = z.int().min(0).nullable().default(null);

/** What a Player says of its turn. All of it is a claim: nothing is believed until it is compared with what is there. */
export const playerReportSchema = z.object({
  decision: playerDecisionSchema,
  summary: z.string().default(''),
  files_modified: z.array(z.string()).default([]),
  tests_passed: count,
  tests_failed: count,
  criteria: z.record(z.string().min(1), criterionStatusSchema).default({}),
  progress: z.string().default(''),
  blockers: z.array(z.string()).default([]),
  lessons: z.array(z.string()).default([]),
});

export type PlayerReport = z.infer<typeof playerReportSchema>;
