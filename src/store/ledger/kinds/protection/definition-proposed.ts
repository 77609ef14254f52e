import * as z from 'zod';
import { hashSchema, nameSchema, pathSchema } from '../../chain/entry-fields.ts';
import { defineEntryKind } from '../../chain/entry-kind.ts';

export const PROPOSAL_ORIGINS = ['edit-tool', 'guardkit', 'commit', 'index', 'unknown'] as const;

export const definitionProposedSchema = z.strictObject({
  path: pathSchema,
  /** SHA-256 of the content with CRLF turned into LF; null if the file was removed. */
  digest: hashSchema.nullable(),
  origin: z.enum(PROPOSAL_ORIGINS),
  /** Null where it is not known. */
  session: nameSchema.nullable(),
  checkout: pathSchema,
});

export type DefinitionProposed = z.infer<typeof definitionProposedSchema>;

/** A version of a definition that an agent brought, or may have brought. It has no effect until a person accepts it. */
export const definitionProposed = defineEntryKind<DefinitionProposed>({
  kind: 'definition_proposed',
  schema: definitionProposedSchema,
  freeText: [],
});
