import * as z from 'zod';
import { nameSchema } from '../../chain/entry-fields.ts';
import { defineEntryKind } from '../../chain/entry-kind.ts';

export const remoteRecordedSchema = z.strictObject({
  /** The address that GuardKit queries for trusted branches, without credentials. */
  url: z.string().min(1).max(2000),
  /** The remote's default branch, if known. */
  branch: nameSchema.nullable(),
  by: nameSchema.min(1),
});

export type RemoteRecorded = z.infer<typeof remoteRecordedSchema>;

/**
 * A person set up GuardKit in a clone of this remote. An agent can change the remote in git's configuration, but not
 * this entry.
 */
export const remoteRecorded = defineEntryKind<RemoteRecorded>({
  kind: 'remote_recorded',
  schema: remoteRecordedSchema,
  freeText: [],
});
