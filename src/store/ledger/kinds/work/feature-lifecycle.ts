import * as z from 'zod';
import { workIdSchema } from '../../../../domain/entities/work-id.ts';
import { defineEntryKind } from '../../chain/entry-kind.ts';
import { traceEpisodes } from '../../outbox/trace-episode.ts';
import { failureSchema } from '../sessions/attempts.ts';

export const featureBegunSchema = z.strictObject({
  feature_id: workIdSchema,
  /** The last commit without any of the feature's work. */
  commit: z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/, 'a full commit id is expected'),
  /** The files at that time, which may have verified work of other features that nobody has committed yet. */
  tree: z.string().min(1).nullable().default(null),
});

export type FeatureBegun = z.infer<typeof featureBegunSchema>;

/** Work on a feature began. */
export const featureBegun = defineEntryKind<FeatureBegun>({
  kind: 'feature_begun',
  schema: featureBegunSchema,
  freeText: [],
});

const featureCompletedSchema = z.strictObject({
  feature_id: workIdSchema,
  /** Of the feature's branch, as it was merged. */
  tip: z.string().min(1),
  /** That has the feature in it, on the person's branch. */
  commit: z.string().min(1),
  into: z.string().min(1),
  by: z.string().min(1),
});

/** A person merged a feature into a branch of their own. */
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

/** What a session had completed does not hold together with the rest, or is no longer there. */
export const featureReopened = defineEntryKind({
  kind: 'feature_reopened',
  schema: featureReopenedSchema,
  freeText: ['why'],
});

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

const featureUnblockedSchema = z.strictObject({
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

const featureDiscardedSchema = z.strictObject({
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
