import * as z from 'zod';
import { workIdSchema } from '../../../../domain/entities/work-id.ts';
import { defineEntryKind } from '../../chain/entry-kind.ts';

export const featureReopenedSchema = z.strictObject({
  session_id: z.string().min(1),
  feature_id: workIdSchema,
  why: z.string(),
});

/** What a session had completed does not hold together with the rest, or is no longer there. */
export const featureReopened = defineEntryKind({
  kind: 'feature_reopened',
  schema: featureReopenedSchema,
  freeText: ['why'],
});
