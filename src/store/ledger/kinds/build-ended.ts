import * as z from 'zod';
import { workIdSchema } from '../../../domain/work-id.ts';
import { defineEntryKind } from '../entry-kind.ts';

export const BUILD_OUTCOMES = [
  'approved',
  'max_turns',
  'escalated',
  'budget',
  'cancelled',
  'failed',
] as const;

export const buildEndedSchema = z.strictObject({
  build_id: z.string().min(1),
  feature_id: workIdSchema,
  outcome: z.enum(BUILD_OUTCOMES),
  why: z.string(),
  cost_usd: z.number().min(0),
});

export type BuildEnded = z.infer<typeof buildEndedSchema>;

/** An attempt came to an end that is not a crash. */
export const buildEnded = defineEntryKind({
  kind: 'build_ended',
  schema: buildEndedSchema,
  freeText: ['why'],
});
