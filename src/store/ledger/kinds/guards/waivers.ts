import * as z from 'zod';
import { timestampSchema } from '../../../../domain/timestamp.ts';
import { defineEntryKind } from '../../chain/entry-kind.ts';
import { agentContext, traceEpisodes } from '../../outbox/trace-episode.ts';

export const waiverIssuedSchema = z.strictObject({
  waiver_id: z.string().min(1),
  guard: z.string().min(1),
  /** It ends then, used or not. */
  until: timestampSchema,
  /** How often it may be used; null for any number of times. */
  uses: z.int().min(1).nullable(),
  reason: z.string().min(1),
  by: z.string().min(1),
});

/** A person let a guard be passed. */
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
          what_happened: `A person let ${entry.body.guard} be passed until ${entry.body.until}.`,
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
  /** What was done under it, in one line. */
  action: z.string(),
});

/** An action went ahead that a guard would have refused. */
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
          why: `A person’s waiver ${entry.body.waiver_id} let ${entry.body.guard} be passed.`,
        },
        guard: entry.body.guard,
        attempted: `waive ${entry.body.guard}`,
      },
    ]),
});

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

export const waiverRefusedSchema = z.strictObject({
  guard: z.string().min(1),
  /** Why it was not a person. */
  why: z.string(),
  reason: z.string(),
});

/** Somebody who is no person at a terminal tried to let a guard be passed. */
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
          what_happened: `Something that is no person tried to let ${entry.body.guard} be passed: ${entry.body.reason}`,
          what_was_correct: 'Only a person at a terminal of their own lets a guard be passed.',
          why: entry.body.why,
        },
        guard: entry.body.guard,
        attempted: `waive ${entry.body.guard}`,
      },
    ]),
});
