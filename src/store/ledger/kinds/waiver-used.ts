import * as z from 'zod';
import { defineEntryKind } from '../entry-kind.ts';

export const waiverUsedSchema = z.strictObject({
  waiver_id: z.string().min(1),
  guard: z.string().min(1),
  session: z.string(),
  agent: z.string(),
  agent_type: z.string().nullable(),
  /** What was done under it, in one line. */
  action: z.string(),
});

/** An action went ahead that a guard would have refused. */
export const waiverUsed = defineEntryKind({
  kind: 'waiver_used',
  schema: waiverUsedSchema,
  freeText: ['action'],
});
