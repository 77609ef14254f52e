import * as z from 'zod';
import { workIdSchema } from '../../../../domain/entities/work-id.ts';
import { defineEntryKind } from '../../chain/entry-kind.ts';

export const attemptBeganSchema = z.strictObject({
  session_id: z.string().min(1),
  feature_id: workIdSchema,
  attempt: z.int().min(1),
});

/** A session started or took over an attempt at a feature. */
export const attemptBegan = defineEntryKind({
  kind: 'attempt_began',
  schema: attemptBeganSchema,
  freeText: [],
});

/** One failed attempt. */
export const failureSchema = z.strictObject({
  attempt: z.int().min(1),
  /** How it ended: an outcome of feature-build, of a verification, or of an agent. */
  outcome: z.string(),
  why: z.string(),
  /** The attempt's own account of its work. */
  tried: z.string(),
  /** Gates that did not pass. */
  gates: z.array(z.string()),
});

export type Failure = z.infer<typeof failureSchema>;

export const attemptFailedSchema = z.strictObject({
  session_id: z.string().min(1),
  feature_id: workIdSchema,
  failure: failureSchema,
});

/** An attempt at a feature failed. */
export const attemptFailed = defineEntryKind({
  kind: 'attempt_failed',
  schema: attemptFailedSchema,
  freeText: ['failure'],
});
