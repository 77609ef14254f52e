import * as z from 'zod';
import { feature, featureSchema } from '../../../../domain/entities/feature.ts';
import { projectGroup } from '../../../../domain/entities/group.ts';
import { workIdSchema } from '../../../../domain/entities/work-id.ts';
import { defineEntryKind } from '../../chain/entry-kind.ts';

/** The origin of a change to features. */
export const FEATURE_CHANGES = [
  'adopted',
  'agent',
  'person',
  'verification',
  'projection',
  'session',
  'build',
] as const;

export const featuresRecordedSchema = z.strictObject({
  by: z.enum(FEATURE_CHANGES),
  /** A short name: an agent and its kind, a person, or GuardKit. */
  actor: z.string().min(1),
  /** Only changed features, each complete. A new one comes after all others. */
  features: z.array(featureSchema),
  removed: z.array(workIdSchema),
});

export type FeaturesRecorded = z.infer<typeof featuresRecordedSchema>;

/** Changed features. The caller scrubs each feature by its own declaration, so that ids and hashes stay intact. */
export const featuresRecorded = defineEntryKind<FeaturesRecorded>({
  kind: 'features_recorded',
  schema: featuresRecordedSchema,
  freeText: [],
  episodes: ({ project, at, body }) =>
    body.features.map((one) => ({
      group: projectGroup(project, 'features'),
      entity_type: feature.type,
      // A folder of this machine means nothing on another.
      body: { ...one, tested_in: null },
      source: 'ledger',
      valid_at: at,
    })),
});
