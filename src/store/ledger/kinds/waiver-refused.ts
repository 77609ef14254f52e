import * as z from 'zod';
import { defineEntryKind } from '../entry-kind.ts';

export const waiverRefusedSchema = z.strictObject({
  guard: z.string().min(1),
  /** Why it was not a person. */
  why: z.string(),
  reason: z.string(),
});

/** Somebody who is no person at a terminal tried to let a guard be passed. */
export const waiverRefused = defineEntryKind({
  kind: 'waiver_refused',
  schema: waiverRefusedSchema,
  freeText: ['why', 'reason'],
});
