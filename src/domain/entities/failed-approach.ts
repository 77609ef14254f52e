import * as z from 'zod';
import { sha256 } from '../json/json.ts';
import { defineEntity } from './entity-type.ts';
import { workIdSchema } from './work-id.ts';

/** An approach that did not work, so that agents do not repeat it. */
export const failedApproachSchema = z.strictObject({
  feature_id: workIdSchema,
  task_id: workIdSchema.nullable().default(null),
  turn_number: z.int().min(1).nullable().default(null),
  approach: z.string().min(1),
  why_it_failed: z.string().min(1),
  what_to_do_instead: z.string().nullable().default(null),
});

export type FailedApproach = z.infer<typeof failedApproachSchema>;

export const failedApproach = defineEntity<FailedApproach>({
  type: 'failed_approach',
  groups: ['failed_approaches'],
  schema: failedApproachSchema,
  // The same approach to the same feature is one entity, even if it fails repeatedly.
  id: (body) => `FAILED-${body.feature_id}-${sha256(body.approach.trim().toLowerCase()).slice(0, 12)}`,
  name: (body) => `Failed approach: ${body.approach}`,
  text: (body) =>
    [
      `failed_approach ${body.feature_id}${body.task_id ? ` ${body.task_id}` : ''}: ${body.approach}`,
      `why_it_failed: ${body.why_it_failed}`,
      ...(body.what_to_do_instead ? [`what_to_do_instead: ${body.what_to_do_instead}`] : []),
    ].join('\n'),
  indexed: ['feature_id', 'task_id'],
  freeText: ['approach', 'why_it_failed', 'what_to_do_instead'],
  relations: (body) => [
    { relation: 'failed_in', to: body.feature_id },
    ...(body.task_id ? [{ relation: 'failed_in', to: body.task_id }] : []),
  ],
});
