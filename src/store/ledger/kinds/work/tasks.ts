import * as z from 'zod';
import { criterionSchema } from '../../../../domain/entities/feature.ts';
import { projectGroup } from '../../../../domain/entities/group.ts';
import { taskOutcome } from '../../../../domain/entities/task-outcome.ts';
import { workIdSchema } from '../../../../domain/entities/work-id.ts';
import { defineEntryKind } from '../../chain/entry-kind.ts';

const criteriaRecordedSchema = z.strictObject({
  task_id: workIdSchema,
  /** Every id this task ever had, so that none is reused. */
  criteria: z.array(criterionSchema.extend({ removed: z.literal(true).optional() })),
});

/** The ids of a task's acceptance criteria. */
export const criteriaRecorded = defineEntryKind({
  kind: 'criteria_recorded',
  schema: criteriaRecordedSchema,
  freeText: [],
});

const taskResetSchema = z.strictObject({ task_id: workIdSchema, by: z.string().min(1), reason: z.string() });

/** A person reset a task: its history is kept but no longer shown to agents. */
export const taskReset = defineEntryKind({
  kind: 'task_reset',
  schema: taskResetSchema,
  freeText: ['reason'],
});

/** The outcome of a task. */
export const taskOutcomeRecorded = defineEntryKind({
  kind: 'task_outcome_recorded',
  schema: taskOutcome.schema,
  freeText: taskOutcome.freeText,
  episodes: ({ project, at, body }) => [
    {
      group: projectGroup(project, 'task_outcomes'),
      entity_type: taskOutcome.type,
      body,
      source: 'ledger',
      valid_at: at,
    },
  ],
});
