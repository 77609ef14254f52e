import * as z from 'zod';
import { defineEntryKind } from '../../chain/entry-kind.ts';
import { traceEpisodes } from '../../outbox/trace-episode.ts';

export const waiverRevokedSchema = z.strictObject({ waiver_id: z.string().min(1), by: z.string().min(1) });

/** A person took a waiver back. */
export const waiverRevoked = defineEntryKind<z.infer<typeof waiverRevokedSchema>>({
  kind: 'waiver_revoked',
  schema: waiverRevokedSchema,
  freeText: [],
  episodes: (entry) =>
    traceEpisodes(entry, [
      {
        type: 'decision',
        source: 'user_correction',
        outcome: 'told',
        context: { agent: 'person' },
        event: { what_happened: `A person took the waiver ${entry.body.waiver_id} back.` },
        attempted: 'revoke a waiver',
      },
    ]),
});
