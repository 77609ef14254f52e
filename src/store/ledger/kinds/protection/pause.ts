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
  /** The time was up; nobody resumed it by hand. */
  automatic: z.boolean(),
});

export type ProtectionResumed = z.infer<typeof protectionResumedSchema>;

/** Protection is on again after a pause. */
export const protectionResumed = defineEntryKind<ProtectionResumed>({
  kind: 'protection_resumed',
  schema: protectionResumedSchema,
  freeText: [],
});
