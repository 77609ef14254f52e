import * as z from 'zod';
import { workIdSchema } from '../../../../domain/entities/work-id.ts';
import { defineEntryKind } from '../../chain/entry-kind.ts';

export const buildBeganSchema = z.strictObject({
  build_id: z.string().min(1),
  feature_id: workIdSchema,
  /** Only these; empty for all of the feature. */
  only_tasks: z.array(workIdSchema),
  /** What everything in this build is judged against and defined by. */
  base_commit: z.string().min(1),
  definition_hash: z.string().min(1),
  branch: z.string().min(1),
  worktree: z.string().min(1),
  player_driver: z.string().min(1),
  coach_driver: z.string().min(1),
  max_turns: z.int().min(1),
});

export type BuildBegan = z.infer<typeof buildBeganSchema>;

/** An attempt at a feature began. */
export const buildBegan = defineEntryKind({ kind: 'build_began', schema: buildBeganSchema, freeText: [] });
