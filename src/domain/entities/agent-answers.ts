import * as z from 'zod';
import { coachDecisionSchema, criterionStatusSchema, playerDecisionSchema } from './turn-state.ts';

const count = z.int().min(0).nullable().default(null);

/** A Player's report of its turn. Every field is a claim until it is checked against the files. */
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

/** A Coach's verdict on one criterion, with the test or check that proves it. */
export const judgedCriterionSchema = z.object({
  status: criterionStatusSchema,
  /** The name of a test or check that ran and passed; for work without tests, a file of the change. */
  evidence: z.string().nullable().default(null),
});

/** A Coach's answer. Code applies it: an approval without evidence does not count. */
export const coachVerdictSchema = z.object({
  decision: coachDecisionSchema,
  criteria: z.record(z.string().min(1), judgedCriterionSchema).default({}),
  arch_score: z.number().min(0).max(100).nullable().default(null),
  feedback: z.string().default(''),
  lessons: z.array(z.string()).default([]),
  what_to_try_next: z.string().nullable().default(null),
});

export type CoachVerdict = z.infer<typeof coachVerdictSchema>;
