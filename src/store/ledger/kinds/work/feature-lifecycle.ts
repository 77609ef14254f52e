import * as z from 'zod';
import { workIdSchema } from '../../../../domain/entities/work-id.ts';
import { defineEntryKind } from '../../chain/entry-kind.ts';
import { traceEpisodes } from '../../outbox/trace-episode.ts';
import { failureSchema } from '../sessions/attempts.ts';

export const featureBegunSchema = z.strictObject({
  feature_id: workIdSchema,
  /** The last commit without any of the feature's work. */
  commit: z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/, 'expected a full commit id'),
  /** The files at that time, which may contain verified but uncommitted work on other features. */
  tree: z.string().min(1).nullable().default(null),
});

export type FeatureBegun = z.infer<typeof featureBegunSchema>;

/** Work on a feature started. */
export const featureBegun = defineEntryKind<FeatureBegun>({
  kind: 'feature_begun',
  schema: featureBegunSchema,
  freeText: [],
});

const featureCompletedSchema = z.strictObject({
  feature_id: workIdSchema,
  /** The tip of the feature's branch when it was merged. */
  tip: z.string().min(1),
  /** The commit with the feature on the person's branch. */
  commit: z.string().min(1),
  into: z.string().min(1),
  by: z.string().min(1),
});

/** A person merged a feature into their branch. */
export const featureCompleted = defineEntryKind({
  kind: 'feature_completed',
  schema: featureCompletedSchema,
  freeText: [],
});

export const featureReopenedSchema = z.strictObject({
  session_id: z.string().min(1),
  feature_id: workIdSchema,
  why: z.string(),
});

/** A feature that a session completed no longer works with the rest, or is gone. */
export const featureReopened = defineEntryKind({
  kind: 'feature_reopened',
  schema: featureReopenedSchema,
  freeText: ['why'],
});

export const featureBlockedSchema = z.strictObject({
  session_id: z.string().min(1),
  feature_id: workIdSchema,
  /** All attempts with their outcomes. */
  attempts: z.array(failureSchema),
  /** The smallest question whose answer would help. */
  question: z.string(),
});

/** A session escalated a feature to a person, with all they need to continue. */
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
          what_happened: `${feature_id} was escalated to a person after ${attempts.length} failed attempts.`,
          what_was_correct: question,
          why: attempts.map(({ outcome, why }) => `${outcome}: ${why}`).join('\n'),
        },
        attempted: 'block a feature',
      },
    ]);
  },
});

const featureUnblockedSchema = z.strictObject({
  feature_id: workIdSchema,
  by: z.string().min(1),
  reason: z.string().min(1),
  /** Failed attempts so far; the count restarts. */
  retries: z.int().min(0),
  /** Why it was blocked. */
  blocked_reason: z.string().nullable(),
});

/** A person allowed a blocked feature to be tried again. */
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
          what_happened: `A person unblocked ${entry.body.feature_id} after ${entry.body.retries} failed attempts.`,
          what_was_correct: entry.body.reason,
          why: entry.body.blocked_reason ?? '',
        },
        attempted: 'unblock a feature',
      },
    ]),
});

const featureDiscardedSchema = z.strictObject({
  feature_id: workIdSchema,
  /** The last commit of the branch; null if the branch was already gone. */
  tip: z.string().nullable(),
  /** Where files and commits without another ref are kept. */
  kept: z.string().nullable(),
  reason: z.string(),
  by: z.string().min(1),
});

/** A person discarded a built feature: its worktree and branch are removed, its turns are kept. */
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
          what_happened: `A person discarded the build of ${entry.body.feature_id}.`,
          why: entry.body.reason,
        },
        attempted: 'discard a feature',
      },
    ]),
});
