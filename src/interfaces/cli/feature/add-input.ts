import * as z from 'zod';
import { refSafeIdSchema } from '../../../domain/entities/task.ts';
import { criteria, ids, listField } from './list-field.ts';

/** What `feature add` is given. */
export const addSchema = z.object({
  description: listField('description').refine((text) => text.trim() !== '', 'a text is expected'),
  id: refSafeIdSchema.optional(),
  priority: listField('priority').optional(),
  dependsOn: ids,
  criterion: criteria,
  type: listField('task_type').optional(),
  complexity: listField('complexity').optional(),
  ui: z.boolean().default(false),
  dryRun: z.boolean().default(false),
});

export type AddInput = z.infer<typeof addSchema>;
