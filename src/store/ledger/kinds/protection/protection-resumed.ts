import * as z from 'zod';
import { nameSchema } from '../../chain/entry-fields.ts';
import { defineEntryKind } from '../../chain/entry-kind.ts';

export const protectionResumedSchema = z.strictObject({
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
