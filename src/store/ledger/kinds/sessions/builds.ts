import * as z from 'zod';
import { workIdSchema } from '../../../../domain/entities/work-id.ts';
import { defineEntryKind } from '../../chain/entry-kind.ts';
import { traceEpisodes } from '../../outbox/trace-episode.ts';

export const buildBeganSchema = z.strictObject({
  build_id: z.string().min(1),
  feature_id: workIdSchema,
  /** Empty for all tasks of the feature. */
  only_tasks: z.array(workIdSchema),
  /** The commit that the build is judged against and that defines its rules. */
  base_commit: z.string().min(1),
  definition_hash: z.string().min(1),
  branch: z.string().min(1),
  worktree: z.string().min(1),
  player_driver: z.string().min(1),
  coach_driver: z.string().min(1),
  max_turns: z.int().min(1),
});

export type BuildBegan = z.infer<typeof buildBeganSchema>;

/** An attempt at a feature started. */
export const buildBegan = defineEntryKind({ kind: 'build_began', schema: buildBeganSchema, freeText: [] });

const buildInterruptedSchema = z.strictObject({
  build_id: z.string().min(1),
  feature_id: workIdSchema,
  why: z.string(),
});

export type BuildInterrupted = z.infer<typeof buildInterruptedSchema>;

/** An error ended GuardKit's part of an attempt, which can be resumed. A kill leaves no such entry. */
export const buildInterrupted = defineEntryKind({
  kind: 'build_interrupted',
  schema: buildInterruptedSchema,
  freeText: ['why'],
});

export const BUILD_OUTCOMES = [
  'approved',
  'max_turns',
  'escalated',
  'budget',
  'cancelled',
  'failed',
] as const;

export const buildEndedSchema = z.strictObject({
  build_id: z.string().min(1),
  feature_id: workIdSchema,
  outcome: z.enum(BUILD_OUTCOMES),
  why: z.string(),
  cost_usd: z.number().min(0),
});

export type BuildEnded = z.infer<typeof buildEndedSchema>;

/** An attempt ended other than by a crash. */
export const buildEnded = defineEntryKind<z.infer<typeof buildEndedSchema>>({
  kind: 'build_ended',
  schema: buildEndedSchema,
  freeText: ['why'],
  episodes: (entry) =>
    entry.body.outcome !== 'escalated'
      ? []
      : traceEpisodes(entry, [
          {
            type: 'decision',
            source: 'auto_detected',
            outcome: 'escalated',
            context: { agent: 'player', feature: entry.body.feature_id },
            event: {
              what_happened: `The build of ${entry.body.feature_id} was escalated to a person.`,
              why: entry.body.why,
            },
            attempted: 'escalate a build',
          },
        ]),
});
