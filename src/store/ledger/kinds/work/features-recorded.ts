import * as z from 'zod';
import { feature, featureSchema } from '../../../../domain/entities/feature.ts';
import { projectGroup } from '../../../../domain/entities/group.ts';
import { workIdSchema } from '../../../../domain/entities/work-id.ts';
import { defineEntryKind } from '../../chain/entry-kind.ts';

/** What a change of features came from. */
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
  /** Who, in a few words: an agent and its kind, a person's name, GuardKit. */
  actor: z.string().min(1),
  /** Only those that changed, each as a whole. One that was not known before comes after all others. */
  features: z.array(featureSchema),
  removed: z.array(workIdSchema),
});

export type FeaturesRecorded = z.infer<typeof featuresRecordedSchema>;

/** What became of features. Whoever records it scrubs each feature by its own declaration: ids and hashes stay. */
export const featuresRecorded = defineEntryKind<FeaturesRecorded>({
  kind: 'features_recorded',
  schema: featuresRecordedSchema,
  freeText: [],
  episodes: ({ project, at, body }) =>
    body.features.map((one) => ({
      group: projectGroup(project, 'features'),
      entity_type: feature.type,
      // A folder of this machine says nothing on another one.
      body: { ...one, tested_in: null },
      source: 'ledger',
      valid_at: at,
    })),
});
