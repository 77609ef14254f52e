import * as z from 'zod';
import { workIdSchema } from '../../../../domain/entities/work-id.ts';
import { jsonObjectSchema } from '../../../../domain/json/json.ts';
import { defineEntryKind } from '../../chain/entry-kind.ts';

/** In the order they happen, each recorded before the next begins; `cancelled` where a person ended an agent's run. */
export const TURN_STEPS = [
  'began',
  'planned',
  'played',
  'committed',
  'verified',
  'judged',
  'cancelled',
] as const;

export type TurnStep = (typeof TURN_STEPS)[number];

export const turnStepSchema = z.strictObject({
  build_id: z.string().min(1),
  feature_id: workIdSchema,
  task_id: workIdSchema,
  turn_number: z.int().min(1),
  step: z.enum(TURN_STEPS),
  /** What came of the step: an agent's answer, a commit, a verification. */
  data: jsonObjectSchema,
});

/** A step of a turn is done. */
export const turnStep = defineEntryKind({ kind: 'turn_step', schema: turnStepSchema, freeText: ['data'] });
