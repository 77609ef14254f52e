import * as z from 'zod';
import { hashSchema, pathSchema } from '../../chain/entry-fields.ts';
import { defineEntryKind } from '../../chain/entry-kind.ts';

/** How GuardKit knows that a version is a person's. */
export const DEFINITION_ORIGINS = ['working-files', 'guardkit', 'init'] as const;

export const definitionRecordedSchema = z.strictObject({
  path: pathSchema,
  /** SHA-256 of the content with CRLF turned into LF; null if the file is gone. */
  digest: hashSchema.nullable(),
  origin: z.enum(DEFINITION_ORIGINS),
  checkout: pathSchema,
});

export type DefinitionRecorded = z.infer<typeof definitionRecordedSchema>;

/** A version of a definition that counts as a person's. */
export const definitionRecorded = defineEntryKind<DefinitionRecorded>({
  kind: 'definition_recorded',
  schema: definitionRecordedSchema,
  freeText: [],
});
