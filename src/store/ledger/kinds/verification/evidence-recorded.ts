import { evidence } from '../../../../domain/entities/evidence.ts';
import { projectGroup } from '../../../../domain/entities/group.ts';
import { defineEntryKind } from '../../chain/entry-kind.ts';

/** A run that GuardKit executed, or what a person vouches for. */
export const evidenceRecorded = defineEntryKind({
  kind: 'evidence_recorded',
  schema: evidence.schema,
  freeText: evidence.freeText,
  episodes: ({ project, at, body }) => [
    {
      group: projectGroup(project, 'evidence'),
      entity_type: evidence.type,
      body,
      source: 'ledger',
      valid_at: at,
    },
  ],
});
