import * as z from 'zod';
import { entryNumbersSchema, nameSchema } from '../../chain/entry-fields.ts';
import { defineEntryKind } from '../../chain/entry-kind.ts';

export const changesSeenSchema = z.strictObject({
  /** The `change_noticed` entries that were shown. */
  numbers: entryNumbersSchema,
  by: nameSchema.min(1),
});

export type ChangesSeen = z.infer<typeof changesSeenSchema>;

/** A person has seen changes to effective files. */
export const changesSeen = defineEntryKind<ChangesSeen>({
  kind: 'changes_seen',
  schema: changesSeenSchema,
  freeText: [],
});
