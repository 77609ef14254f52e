import * as z from 'zod';
import { workIdSchema } from '../../../../domain/entities/work-id.ts';
import { defineEntryKind } from '../../chain/entry-kind.ts';
import { traceEpisodes } from '../../outbox/trace-episode.ts';
import { failureSchema } from '../sessions/attempt-failed.ts';

export const featureBlockedSchema = z.strictObject({
  session_id: z.string().min(1),
  feature_id: workIdSchema,
  /** Every attempt: what was tried and how it ended. */
  attempts: z.array(failureSchema),
  /** The smallest question whose answer would help. */
  question: z.string(),
});

/** A session leaves a feature to a person, with what they need to take it further. */
export const featureBlocked = defineEntryKind<z.infer<typeof featureBlockedSchema>>({
  kind: 'feature_blocked',
  schema: featureBlockedSchema,
  freeText: ['attempts', 'question'],
  episodes: (entry) => {
    const { session_id, feature_id, attempts, question } = entry.body;
    return traceEpisodes(entry, [
      {
        type: 'decision',
        source: 'auto_detected',
        outcome: 'escalated',
        context: { agent: 'orchestrator', feature: feature_id, session: session_id },
        event: {
          what_happened: `${feature_id} was left to a person after ${attempts.length} failed attempts.`,
          what_was_correct: question,
          why: attempts.map(({ outcome, why }) => `${outcome}: ${why}`).join('\n'),
        },
        attempted: 'block a feature',
      },
    ]);
  },
});
