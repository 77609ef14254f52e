import * as z from 'zod';
import { timestampSchema } from '../timestamp.ts';
import { defineEntity } from './entity-type.ts';
import { workIdSchema } from './work-id.ts';

export const TASK_OUTCOMES = ['approved', 'failed', 'blocked', 'escalated', 'discarded'] as const;

/** The final result of a task. */
export const taskOutcomeSchema = z.strictObject({
  feature_id: workIdSchema,
  task_id: workIdSchema,
  outcome: z.enum(TASK_OUTCOMES),
  summary: z.string().default(''),
  turns: z.int().min(0),
  lessons: z.array(z.string().min(1)).default([]),
  files_modified: z.array(z.string()).default([]),
  completed_at: timestampSchema.nullable().default(null),
});

export type TaskOutcome = z.infer<typeof taskOutcomeSchema>;

export const taskOutcome = defineEntity<TaskOutcome>({
  type: 'task_outcome',
  groups: ['task_outcomes'],
  schema: taskOutcomeSchema,
  id: (body) => `OUTCOME-${body.feature_id}-${body.task_id}`,
  name: (body) => `${body.task_id}: ${body.outcome}`,
  text: (body) =>
    [
      `task_outcome ${body.feature_id} ${body.task_id}: outcome=${body.outcome} turns=${body.turns}`,
      body.summary,
      ...(body.lessons.length > 0 ? [`lessons: ${body.lessons.join('; ')}`] : []),
      ...(body.files_modified.length > 0 ? [`files: ${body.files_modified.join(' ')}`] : []),
    ]
      .filter((line) => line !== '')
      .join('\n'),
  indexed: ['task_id', 'feature_id', 'outcome'],
  freeText: ['summary', 'lessons'],
  relations: (body) => [
    { relation: 'outcome_of', to: body.task_id },
    { relation: 'part_of', to: body.feature_id },
  ],
});
