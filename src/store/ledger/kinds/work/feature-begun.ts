import * as z from 'zod';
import { workIdSchema } from '../../../../domain/entities/work-id.ts';
import { defineEntryKind } from '../../chain/entry-kind.ts';

export const featureBegunSchema = z.strictObject({
  feature_id: workIdSchema,
  /** The last commit without any of the feature's work. */
  commit: z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/, 'a full commit id is expected'),
  /** The files at that time, which may have verified work of other features that nobody has committed yet. */
  tree: z.string().min(1).nullable().default(null),
});

export type FeatureBegun = z.infer<typeof featureBegunSchema>;

/** Work on a feature began. */
export const featureBegun = defineEntryKind<FeatureBegun>({
  kind: 'feature_begun',
  schema: featureBegunSchema,
  freeText: [],
});
