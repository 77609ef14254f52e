import * as z from 'zod';
import { hashSchema, nameSchema, pathSchema } from '../../chain/entry-fields.ts';
import { defineEntryKind } from '../../chain/entry-kind.ts';

/** Why a version counts as a person's. */
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

const commitSchema = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/, 'expected a full commit id');

const PROPOSAL_ORIGINS = ['edit-tool', 'guardkit', 'commit', 'index', 'unknown'] as const;

export const definitionProposedSchema = z.strictObject({
  path: pathSchema,
  /** SHA-256 of the content with CRLF turned into LF; null if the file was removed. */
  digest: hashSchema.nullable(),
  origin: z.enum(PROPOSAL_ORIGINS),
  /** Null if unknown. */
  session: nameSchema.nullable(),
  checkout: pathSchema,
  /** A person's older version: a proposal only in this commit and later ones. */
  after: commitSchema.optional(),
});

export type DefinitionProposed = z.infer<typeof definitionProposedSchema>;

/** A version of a definition that an agent brought, or may have brought. It has no effect until a person accepts it. */
export const definitionProposed = defineEntryKind<DefinitionProposed>({
  kind: 'definition_proposed',
  schema: definitionProposedSchema,
  freeText: [],
});

const TRUST_REASONS = ['init', 'upgrade', 'commit', 'trusted-branch'] as const;

export const definitionsTrustedSchema = z.strictObject({
  /** All definitions in this commit count as a person's. */
  commit: commitSchema,
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
