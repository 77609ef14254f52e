import { projectGroup } from '../../../domain/group.ts';
import { verification } from '../../../domain/verification.ts';
import { defineEntryKind } from '../entry-kind.ts';

/** What the gates said of a feature or a task at a tree. */
export const verificationRecorded = defineEntryKind({
  kind: 'verification_recorded',
  schema: verification.schema,
  freeText: verification.freeText,
  episodes: ({ project, at, body }) => [
    {
      group: projectGroup(project, 'evidence'),
      entity_type: verification.type,
      body,
      source: 'ledger',
      valid_at: at,
    },
  ],
});
