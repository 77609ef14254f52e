import * as z from 'zod';
import { workIdSchema } from '../../../../domain/entities/work-id.ts';
import { defineEntryKind } from '../../chain/entry-kind.ts';

const commit = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/, 'expected a full commit id');

export const featureStackedSchema = z.strictObject({
  feature_id: workIdSchema,
  /** The branch of the project that features are stacked on. */
  branch: z.string().min(1),
  /** The tip of that branch before, and with the feature. */
  before: commit,
  commit,
});

/** A worker completed a feature: the branch with it was verified as a whole. */
export const featureStacked = defineEntryKind<z.infer<typeof featureStackedSchema>>({
  kind: 'feature_stacked',
  schema: featureStackedSchema,
  freeText: [],
});

export const integrationFailedSchema = z.strictObject({
  feature_id: workIdSchema,
  /** The approved commit of the feature, and the tip that it does not work with. */
  commit,
  tip: commit,
  /** Files that conflict; empty if the merged tree failed its verification. */
  conflicts: z.array(z.string()).max(100),
  why: z.string(),
});

export type IntegrationFailed = z.infer<typeof integrationFailedSchema>;

/** An approved feature does not work with what other workers completed meanwhile; it gets another turn. */
export const integrationFailed = defineEntryKind<IntegrationFailed>({
  kind: 'integration_failed',
  schema: integrationFailedSchema,
  freeText: ['why'],
});
