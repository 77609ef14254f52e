import { projectGroup } from '../../../../domain/entities/group.ts';
import { taskOutcome } from '../../../../domain/entities/task-outcome.ts';
import { defineEntryKind } from '../../chain/entry-kind.ts';

/** How a task ended. */
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
