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
