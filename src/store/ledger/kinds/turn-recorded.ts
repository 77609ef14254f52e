import { projectGroup } from '../../../domain/group.ts';
import { turnState } from '../../../domain/turn-state.ts';
import { defineEntryKind } from '../entry-kind.ts';

/** A turn as far as it got. A turn is recorded more than once: when it begins, and when it has been judged. */
export const turnRecorded = defineEntryKind({
  kind: 'turn_recorded',
  schema: turnState.schema,
  freeText: turnState.freeText,
  episodes: ({ project, at, body }) => [
    {
      group: projectGroup(project, 'turn_states'),
      entity_type: turnState.type,
      body,
      source: 'ledger',
      valid_at: at,
    },
  ],
});
