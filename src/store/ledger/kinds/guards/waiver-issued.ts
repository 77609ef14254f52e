import * as z from 'zod';
import { timestampSchema } from '../../../../domain/timestamp.ts';
import { defineEntryKind } from '../../chain/entry-kind.ts';
import { traceEpisodes } from '../../outbox/trace-episode.ts';

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
export const waiverIssued = defineEntryKind<z.infer<typeof waiverIssuedSchema>>({
  kind: 'waiver_issued',
  schema: waiverIssuedSchema,
  freeText: ['reason'],
  episodes: (entry) =>
    traceEpisodes(entry, [
      {
        type: 'approval',
        source: 'user_correction',
        outcome: 'waived',
        context: { agent: 'person' },
        event: {
          what_happened: `A person let ${entry.body.guard} be passed until ${entry.body.until}.`,
          why: entry.body.reason,
        },
        guard: entry.body.guard,
        attempted: `waive ${entry.body.guard}`,
      },
    ]),
});
