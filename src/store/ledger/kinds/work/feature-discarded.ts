import * as z from 'zod';
import { workIdSchema } from '../../../../domain/entities/work-id.ts';
import { defineEntryKind } from '../../chain/entry-kind.ts';
import { traceEpisodes } from '../../outbox/trace-episode.ts';

export const featureDiscardedSchema = z.strictObject({
  feature_id: workIdSchema,
  /** The last commit of the branch; null where it was gone already. */
  tip: z.string().nullable(),
  /** Where files and commits that were on no other ref are kept. */
  kept: z.string().nullable(),
  reason: z.string(),
  by: z.string().min(1),
});

/** A person gave up what was built of a feature: its worktree and branch are gone, its turns are kept. */
export const featureDiscarded = defineEntryKind<z.infer<typeof featureDiscardedSchema>>({
  kind: 'feature_discarded',
  schema: featureDiscardedSchema,
  freeText: ['reason'],
  episodes: (entry) =>
    traceEpisodes(entry, [
      {
        type: 'correction',
        source: 'user_correction',
        outcome: 'rejected',
        context: { agent: 'person', feature: entry.body.feature_id },
        event: {
          what_happened: `A person discarded what was built of ${entry.body.feature_id}.`,
          why: entry.body.reason,
        },
        attempted: 'discard a feature',
      },
    ]),
});
