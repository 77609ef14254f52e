import * as z from 'zod';
import { workIdSchema } from '../../../../domain/entities/work-id.ts';
import { defineEntryKind } from '../../chain/entry-kind.ts';

export const attemptBeganSchema = z.strictObject({
  session_id: z.string().min(1),
  feature_id: workIdSchema,
  attempt: z.int().min(1),
});

/** A session began, or took over, an attempt at a feature. */
export const attemptBegan = defineEntryKind({
  kind: 'attempt_began',
  schema: attemptBeganSchema,
  freeText: [],
});
