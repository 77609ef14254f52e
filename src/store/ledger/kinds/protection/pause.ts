import * as z from 'zod';
import { timestampSchema } from '../../../../domain/timestamp.ts';
import { lineSchema, nameSchema } from '../../chain/entry-fields.ts';
import { defineEntryKind } from '../../chain/entry-kind.ts';

export const protectionPausedSchema = z.strictObject({
  until: timestampSchema,
  /** Empty if none was given. */
  reason: lineSchema,
  by: nameSchema.min(1),
});

export type ProtectionPaused = z.infer<typeof protectionPausedSchema>;

/** A person paused protection. */
export const protectionPaused = defineEntryKind<ProtectionPaused>({
  kind: 'protection_paused',
  schema: protectionPausedSchema,
  freeText: ['reason'],
});

const protectionResumedSchema = z.strictObject({
  by: nameSchema.min(1),
  /** True if the pause expired; false if somebody ended it. */
  automatic: z.boolean(),
});

export type ProtectionResumed = z.infer<typeof protectionResumedSchema>;

/** Protection resumed after a pause. */
export const protectionResumed = defineEntryKind<ProtectionResumed>({
  kind: 'protection_resumed',
  schema: protectionResumedSchema,
  freeText: [],
});
