import * as z from 'zod';
import { defineEntryKind } from '../../chain/entry-kind.ts';
import { traceEpisodes } from '../../outbox/trace-episode.ts';

/** A person's word that a file is theirs as it stands, though a candidate or an uncommitted change brought it. */
export const acceptanceSchema = z.strictObject({
  path: z.string().min(1),
  /** Of the file's content when it was accepted; null accepts that it is gone. */
  digest: z.string().nullable(),
  reason: z.string(),
  by: z.string().min(1),
});

export type Acceptance = z.infer<typeof acceptanceSchema>;

/** A person accepted a file as it stands. */
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
          what_happened: `A person accepted ${entry.body.path} as it stands.`,
          why: entry.body.reason,
        },
        attempted: `edit ${entry.body.path}`,
      },
    ]),
});
