import * as z from 'zod';
import { criterionSchema } from '../../../../domain/entities/feature.ts';
import { workIdSchema } from '../../../../domain/entities/work-id.ts';
import { defineEntryKind } from '../../chain/entry-kind.ts';

const criteriaRecordedSchema = z.strictObject({
  task_id: workIdSchema,
  /** Every id this task ever had, so that none is given twice. */
  criteria: z.array(criterionSchema.extend({ removed: z.literal(true).optional() })),
});

/** The ids that a task's acceptance criteria were given. */
export const criteriaRecorded = defineEntryKind({
  kind: 'criteria_recorded',
  schema: criteriaRecordedSchema,
  freeText: [],
});
