import * as z from 'zod';
import { timestampSchema } from '../timestamp.ts';
import { defineEntity } from './entity-type.ts';
import { workIdSchema } from './work-id.ts';

/** Feedback that Coaches gave repeatedly. */
export const failurePatternSchema = z.strictObject({
  failure_id: z.string().min(1),
  /** The feedback as first given. */
  feedback: z.string().min(1),
  /** Gates that failed at the same time. */
  gates: z.array(z.string()),
  times: z.int().min(2),
  tasks: z.array(workIdSchema),
  features: z.array(workIdSchema),
  first_at: timestampSchema,
  last_at: timestampSchema,
  turns: z.array(z.string()),
});

export type FailurePattern = z.infer<typeof failurePatternSchema>;

export const failurePattern = defineEntity<FailurePattern>({
  type: 'failure_pattern',
  groups: ['failure_patterns'],
  schema: failurePatternSchema,
  id: (body) => body.failure_id,
  name: (body) => `Asked for ${body.times} times: ${body.feedback}`.slice(0, 200),
  text: (body) =>
    [
      `failure_pattern: ${body.feedback}`,
      `asked for ${body.times} times in ${body.tasks.join(' ')}`,
      ...(body.gates.length === 0 ? [] : [`gates: ${body.gates.join(' ')}`]),
    ].join('\n'),
  indexed: ['features', 'tasks', 'gates'],
  freeText: ['feedback'],
  relations: (body) => [
    ...body.turns.map((to) => ({ relation: 'seen_in', to })),
    ...body.tasks.map((to) => ({ relation: 'failed_in', to })),
  ],
});
