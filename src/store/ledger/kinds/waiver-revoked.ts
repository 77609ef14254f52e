import * as z from 'zod';
import { defineEntryKind } from '../entry-kind.ts';

export const waiverRevokedSchema = z.strictObject({ waiver_id: z.string().min(1), by: z.string().min(1) });

/** A person took a waiver back. */
export const waiverRevoked = defineEntryKind({
  kind: 'waiver_revoked',
  schema: waiverRevokedSchema,
  freeText: [],
});
