import * as z from 'zod';
import { workIdSchema } from '../../../domain/work-id.ts';
import { defineEntryKind } from '../entry-kind.ts';

export const featureDiscardedSchema = z.strictObject({
  feature_id: workIdSchema,
  /** The last commit of the branch; null where it was gone already. */
  tip: z.string().nullable(),
  /** Where files and commits that were on no other ref are kept. */
  kept: z.string().nullable(),
  reason: z.string(),
  by: z.string().min(1),
});

/** A person gave up what was built of a feature: its worktree and branch are gone, its turns are kept. */
export const featureDiscarded = defineEntryKind({
  kind: 'feature_discarded',
  schema: featureDiscardedSchema,
  freeText: ['reason'],
});
