import * as z from 'zod';
import { jsonObjectSchema } from '../../../../domain/json/json.ts';
import { defineEntryKind } from '../../chain/entry-kind.ts';

const verifyConfirmedSchema = z.strictObject({
  /** Of the commands, so that other ones are asked about again. */
  hash: z.string().min(1),
  verify: jsonObjectSchema,
  by: z.string().min(1),
});

/** A person confirmed commands that were detected, for a project whose configuration names none. */
export const verifyConfirmed = defineEntryKind({
  kind: 'verify_confirmed',
  schema: verifyConfirmedSchema,
  freeText: [],
});
