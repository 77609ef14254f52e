import * as z from 'zod';
import { defineEntryKind } from '../../chain/entry-kind.ts';
import { traceEpisodes } from '../../outbox/trace-episode.ts';

export const waiverRefusedSchema = z.strictObject({
  guard: z.string().min(1),
  /** Why it was not a person. */
  why: z.string(),
  reason: z.string(),
});

/** Somebody who is no person at a terminal tried to let a guard be passed. */
export const waiverRefused = defineEntryKind<z.infer<typeof waiverRefusedSchema>>({
  kind: 'waiver_refused',
  schema: waiverRefusedSchema,
  freeText: ['why', 'reason'],
  episodes: (entry) =>
    traceEpisodes(entry, [
      {
        type: 'violation',
        source: 'enforcement_hook',
        outcome: 'denied',
        event: {
          what_happened: `Something that is no person tried to let ${entry.body.guard} be passed: ${entry.body.reason}`,
          what_was_correct: 'Only a person at a terminal of their own lets a guard be passed.',
          why: entry.body.why,
        },
        guard: entry.body.guard,
        attempted: `waive ${entry.body.guard}`,
      },
    ]),
});
