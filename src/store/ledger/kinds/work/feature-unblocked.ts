import * as z from 'zod';
import { workIdSchema } from '../../../../domain/entities/work-id.ts';
import { defineEntryKind } from '../../chain/entry-kind.ts';
import { traceEpisodes } from '../../outbox/trace-episode.ts';

export const featureUnblockedSchema = z.strictObject({
  feature_id: workIdSchema,
  by: z.string().min(1),
  reason: z.string().min(1),
  /** How many attempts had failed; they are counted anew. */
  retries: z.int().min(0),
  /** Why it was blocked. */
  blocked_reason: z.string().nullable(),
});

/** A person let a blocked feature be tried again. */
export const featureUnblocked = defineEntryKind<z.infer<typeof featureUnblockedSchema>>({
  kind: 'feature_unblocked',
  schema: featureUnblockedSchema,
  freeText: ['reason', 'blocked_reason'],
  episodes: (entry) =>
    traceEpisodes(entry, [
      {
        type: 'decision',
        source: 'user_correction',
        outcome: 'told',
        context: { agent: 'person', feature: entry.body.feature_id },
        event: {
          what_happened: `A person let ${entry.body.feature_id} be tried again after ${entry.body.retries} failed attempts.`,
          what_was_correct: entry.body.reason,
          why: entry.body.blocked_reason ?? '',
        },
        attempted: 'unblock a feature',
      },
    ]),
});
