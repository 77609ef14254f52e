import * as z from 'zod';
import { workIdSchema } from '../../../domain/work-id.ts';
import { defineEntryKind } from '../entry-kind.ts';

export const featureUnblockedSchema = z.strictObject({
  feature_id: workIdSchema,
  by: z.string().min(1),
  reason: z.string().min(1),
  /** How many attempts had failed; they are counted anew. */
  retries: z.int().min(0),
  /** Why it was blocked. */
  blocked_reason: z.string().nullable(),
});

/** A person let a blocked feature be tried again. */
export const featureUnblocked = defineEntryKind({
  kind: 'feature_unblocked',
  schema: featureUnblockedSchema,
  freeText: ['reason', 'blocked_reason'],
});
