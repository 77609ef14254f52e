import * as z from 'zod';
import { criteria, ids, listField } from './list-field.ts';

/** What `feature edit` is given. */
export const editSchema = z.object({
  id: z.string().min(1),
  description: listField('description').optional(),
  priority: listField('priority').optional(),
  status: listField('status').optional(),
  notes: listField('notes').optional(),
  type: listField('task_type').optional(),
  complexity: listField('complexity').optional(),
  criterionAdd: criteria,
  criterionRemove: z.array(z.string().min(1).max(40)).default([]),
  dependencyAdd: ids,
  dependencyRemove: ids,
  remove: z.boolean().default(false),
  dryRun: z.boolean().default(false),
});

export type EditInput = z.infer<typeof editSchema>;
