import * as z from 'zod';
import { workIdSchema } from '../../../../domain/entities/work-id.ts';
import { defineEntryKind } from '../../chain/entry-kind.ts';

const taskResetSchema = z.strictObject({ task_id: workIdSchema, by: z.string().min(1), reason: z.string() });

/** A person let a task start afresh: what came before is kept and no longer shown to agents. */
export const taskReset = defineEntryKind({
  kind: 'task_reset',
  schema: taskResetSchema,
  freeText: ['reason'],
});
