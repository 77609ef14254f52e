import * as z from 'zod';
import { defineEntity } from './entity-type.ts';
import { turnStateId, workIdSchema } from './work-id.ts';

/** The change that ended a series of turns failing in the same way. */
export const successfulFixSchema = z.strictObject({
  fix_id: z.string().min(1),
  feature_id: workIdSchema,
  task_id: workIdSchema,
  turn_number: z.int().min(1),
  /** The repeated feedback of the turns before. */
  problem: z.string().min(1),
  /** Number of consecutive turns with this feedback. */
  turns_before: z.int().min(2),
  /** The Player's summary of the fix. */
  fix: z.string().min(1),
  files: z.array(z.string()),
  gates: z.array(z.string()),
});

export type SuccessfulFix = z.infer<typeof successfulFixSchema>;

export const successfulFix = defineEntity<SuccessfulFix>({
  type: 'successful_fix',
  groups: ['successful_fixes'],
  schema: successfulFixSchema,
  id: (body) => body.fix_id,
  name: (body) => `${body.task_id} turn ${body.turn_number} ended: ${body.problem}`.slice(0, 200),
  text: (body) =>
    [
      `successful_fix ${body.feature_id} ${body.task_id}: ${body.fix}`,
      `problem, ${body.turns_before} turns in a row: ${body.problem}`,
      ...(body.files.length === 0 ? [] : [`files: ${body.files.join(' ')}`]),
    ].join('\n'),
  indexed: ['feature_id', 'task_id', 'gates'],
  freeText: ['problem', 'fix'],
  relations: (body) => [
    { relation: 'fixed_in', to: turnStateId(body.feature_id, body.task_id, body.turn_number) },
    { relation: 'part_of', to: body.feature_id },
  ],
});
