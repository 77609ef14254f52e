import * as z from 'zod';
import { nameSchema } from '../../chain/entry-fields.ts';
import { defineEntryKind } from '../../chain/entry-kind.ts';

export const TRUST_REASONS = ['init', 'upgrade', 'commit', 'trusted-branch'] as const;

export const definitionsTrustedSchema = z.strictObject({
  /** All definitions in this commit count as a person's. */
  commit: z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/, 'a full commit id is expected'),
  reason: z.enum(TRUST_REASONS),
  /** The person; null for GuardKit itself. */
  by: nameSchema.min(1).nullable(),
});

export type DefinitionsTrusted = z.infer<typeof definitionsTrustedSchema>;

/** The definitions of a commit count as a person's. */
export const definitionsTrusted = defineEntryKind<DefinitionsTrusted>({
  kind: 'definitions_trusted',
  schema: definitionsTrustedSchema,
  freeText: [],
});
