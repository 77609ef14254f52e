import * as z from 'zod';
import { timestampSchema } from '../../../../domain/timestamp.ts';
import { defineEntryKind } from '../../chain/entry-kind.ts';
import { agentContext, traceEpisodes } from '../../outbox/trace-episode.ts';

export const waiverIssuedSchema = z.strictObject({
  waiver_id: z.string().min(1),
  guard: z.string().min(1),
  /** It ends then, used or not. */
  until: timestampSchema,
  /** How often it may be used; null means unlimited. */
  uses: z.int().min(1).nullable(),
  reason: z.string().min(1),
  by: z.string().min(1),
});

/** A person waived a guard. */
export const waiverIssued = defineEntryKind<z.infer<typeof waiverIssuedSchema>>({
  kind: 'waiver_issued',
  schema: waiverIssuedSchema,
  freeText: ['reason'],
  episodes: (entry) =>
    traceEpisodes(entry, [
      {
        type: 'approval',
        source: 'user_correction',
        outcome: 'waived',
        context: { agent: 'person' },
        event: {
          what_happened: `A person waived ${entry.body.guard} until ${entry.body.until}.`,
          why: entry.body.reason,
        },
        guard: entry.body.guard,
        attempted: `waive ${entry.body.guard}`,
      },
    ]),
});

export const waiverUsedSchema = z.strictObject({
  waiver_id: z.string().min(1),
  guard: z.string().min(1),
  session: z.string(),
  agent: z.string(),
  agent_type: z.string().nullable(),
  /** The action, in one line. */
  action: z.string(),
});

/** A waiver let an action pass that a guard would have refused. */
export const waiverUsed = defineEntryKind<z.infer<typeof waiverUsedSchema>>({
  kind: 'waiver_used',
  schema: waiverUsedSchema,
  freeText: ['action'],
  episodes: (entry) =>
    traceEpisodes(entry, [
      {
        type: 'approval',
        source: 'enforcement_hook',
        outcome: 'waived',
        context: agentContext(entry.body),
        event: {
          what_happened: entry.body.action,
          why: `Waiver ${entry.body.waiver_id} of a person let the action pass ${entry.body.guard}.`,
        },
        guard: entry.body.guard,
        attempted: `waive ${entry.body.guard}`,
      },
    ]),
});

export const waiverRevokedSchema = z.strictObject({ waiver_id: z.string().min(1), by: z.string().min(1) });

/** A person revoked a waiver. */
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
        event: { what_happened: `A person revoked the waiver ${entry.body.waiver_id}.` },
        attempted: 'revoke a waiver',
      },
    ]),
});

export const waiverRefusedSchema = z.strictObject({
  guard: z.string().min(1),
  /** Why the caller does not count as a person. */
  why: z.string(),
  reason: z.string(),
});

/** A caller who is not a person at a terminal tried to waive a guard. */
export const waiverRefused = defineEntryKind<z.infer<typeof waiverRefusedSchema>>({
  kind: 'waiver_refused',
  schema: waiverRefusedSchema,
  freeText: ['why', 'reason'],
  episodes: (entry) =>
    traceEpisodes(entry, [
      {
        type: 'violation',
        source: 'enforcement_hook',
        outcome: 'denied',
        event: {
          what_happened: `A caller who is not a person tried to waive ${entry.body.guard}: ${entry.body.reason}`,
          what_was_correct: 'Only a person in their own terminal can waive a guard.',
          why: entry.body.why,
        },
        guard: entry.body.guard,
        attempted: `waive ${entry.body.guard}`,
      },
    ]),
});
