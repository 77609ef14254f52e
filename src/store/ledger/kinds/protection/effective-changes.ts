import * as z from 'zod';
import {
  entryNumbersSchema,
  hashSchema,
  lineSchema,
  modeSchema,
  nameSchema,
  pathSchema,
} from '../../chain/entry-fields.ts';
import { defineEntryKind } from '../../chain/entry-kind.ts';

export const NOTICED_CHANGES = ['added', 'changed', 'removed', 'mode'] as const;

export const changeNoticedSchema = z.strictObject({
  path: pathSchema,
  absolute: pathSchema,
  checkout: pathSchema,
  change: z.enum(NOTICED_CHANGES),
  /** The current version; null if the file is gone. */
  hash: hashSchema.nullable(),
  mode: modeSchema.nullable(),
  what: lineSchema,
  agents_running: z.boolean(),
});

export type ChangeNoticed = z.infer<typeof changeNoticedSchema>;

/** An effective file changed. The change stays and is shown until a person has seen it; nothing is learned from it. */
export const changeNoticed = defineEntryKind<ChangeNoticed>({
  kind: 'change_noticed',
  schema: changeNoticedSchema,
  freeText: ['what'],
});

export const changesSeenSchema = z.strictObject({
  /** The `change_noticed` entries that were shown. */
  numbers: entryNumbersSchema,
  by: nameSchema.min(1),
});

type ChangesSeen = z.infer<typeof changesSeenSchema>;

/** A person has seen changes to effective files. */
export const changesSeen = defineEntryKind<ChangesSeen>({
  kind: 'changes_seen',
  schema: changesSeenSchema,
  freeText: [],
});
