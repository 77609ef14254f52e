import { acceptanceSchema } from '../../../domain/acceptance.ts';
import { defineEntryKind } from '../entry-kind.ts';

/** A person accepted a file as it stands. */
export const acceptanceRecorded = defineEntryKind({
  kind: 'acceptance_recorded',
  schema: acceptanceSchema,
  freeText: ['reason'],
});
