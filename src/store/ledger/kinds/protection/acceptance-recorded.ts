import * as z from 'zod';
import { defineEntryKind } from '../../chain/entry-kind.ts';
import { traceEpisodes } from '../../outbox/trace-episode.ts';

/** A person's acceptance of the current version of a file that a candidate or an uncommitted change brought. */
export const acceptanceSchema = z.strictObject({
  path: z.string().min(1),
  /** Digest of the accepted content; null accepts that the file is gone. */
  digest: z.string().nullable(),
  reason: z.string(),
  by: z.string().min(1),
});

export type Acceptance = z.infer<typeof acceptanceSchema>;

/** A person accepted the current version of a file. */
export const acceptanceRecorded = defineEntryKind<Acceptance>({
  kind: 'acceptance_recorded',
  schema: acceptanceSchema,
  freeText: ['reason'],
  episodes: (entry) =>
    traceEpisodes(entry, [
      {
        type: 'approval',
        source: 'user_correction',
        outcome: 'approved',
        context: { agent: 'person' },
        event: {
          what_happened: `A person accepted the current version of ${entry.body.path}.`,
          why: entry.body.reason,
        },
        attempted: `edit ${entry.body.path}`,
      },
    ]),
});
