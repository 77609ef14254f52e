import * as z from 'zod';
import { timestampSchema } from '../../../domain/timestamp.ts';
import { defineEntryKind } from '../entry-kind.ts';

export const waiverIssuedSchema = z.strictObject({
  waiver_id: z.string().min(1),
  guard: z.string().min(1),
  /** It ends then, used or not. */
  until: timestampSchema,
  /** How often it may be used; null for any number of times. */
  uses: z.int().min(1).nullable(),
  reason: z.string().min(1),
  by: z.string().min(1),
});

/** A person let a guard be passed. */
export const waiverIssued = defineEntryKind({
  kind: 'waiver_issued',
  schema: waiverIssuedSchema,
  freeText: ['reason'],
});
