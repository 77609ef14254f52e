import * as z from 'zod';
import { workIdSchema } from '../../../../domain/entities/work-id.ts';
import { defineEntryKind } from '../../chain/entry-kind.ts';

export const featureCompletedSchema = z.strictObject({
  feature_id: workIdSchema,
  /** Of the feature's branch, as it was merged. */
  tip: z.string().min(1),
  /** That has the feature in it, on the person's branch. */
  commit: z.string().min(1),
  into: z.string().min(1),
  by: z.string().min(1),
});

/** A person merged a feature into a branch of their own. */
export const featureCompleted = defineEntryKind({
  kind: 'feature_completed',
  schema: featureCompletedSchema,
  freeText: [],
});
