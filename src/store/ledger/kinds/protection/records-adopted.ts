import * as z from 'zod';
import { nameSchema } from '../../chain/entry-fields.ts';
import { defineEntryKind } from '../../chain/entry-kind.ts';

const recordsAdoptedSchema = z.strictObject({
  /** How many records were signed anew, and the first and last of them. */
  count: z.int().min(1),
  first: z.int().min(1),
  last: z.int().min(1),
  by: nameSchema.min(1),
});

/** A person had records signed that this machine had not signed, such as after restoring a backup or replacing the key. */
export const recordsAdopted = defineEntryKind<z.infer<typeof recordsAdoptedSchema>>({
  kind: 'records_adopted',
  schema: recordsAdoptedSchema,
  freeText: [],
});
