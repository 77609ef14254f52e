import * as z from 'zod';
import { hashSchema, lineSchema, modeSchema, nameSchema, pathSchema } from '../../chain/entry-fields.ts';
import { defineEntryKind } from '../../chain/entry-kind.ts';

/** Why a file was restored. All but `person` are exceptions to leaving files alone. */
export const RESTORE_REASONS = [
  'git-command',
  'no-sandbox',
  'git-config',
  'rebase-todo',
  'projection',
  'person',
] as const;

export const fileRestoredSchema = z.strictObject({
  /** As shown to people: relative to the project, `.git/…`, or absolute. */
  path: pathSchema,
  absolute: pathSchema,
  /** The root folder of the checkout. */
  checkout: pathSchema,
  /** Empty if a person restored it. */
  session: nameSchema,
  agent: nameSchema,
  /** Null for the main agent. */
  agent_type: nameSchema.nullable(),
  /** The agent's own id of the action; null if unknown. */
  action: nameSchema.nullable(),
  reason: z.enum(RESTORE_REASONS),
  what: lineSchema,
  /** The version that GuardKit replaced; null if there was no file. */
  found_hash: hashSchema.nullable(),
  found_mode: modeSchema.nullable(),
  /** Where the replaced version is kept, relative to the quarantine. */
  quarantined: pathSchema.nullable(),
  /** The version after the restore; null if the file was removed. */
  restored_hash: hashSchema.nullable(),
  restored_mode: modeSchema.nullable(),
  /** The action, in one line. */
  during: lineSchema,
});

export type FileRestored = z.infer<typeof fileRestoredSchema>;

/** GuardKit restored a file. Nothing is learned from it, because the author of the other version is not certain. */
export const fileRestored = defineEntryKind<FileRestored>({
  kind: 'file_restored',
  schema: fileRestoredSchema,
  freeText: ['what', 'during'],
});
