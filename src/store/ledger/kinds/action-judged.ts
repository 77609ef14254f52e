import * as z from 'zod';
import { defineEntryKind } from '../entry-kind.ts';

export const actionJudgedSchema = z.strictObject({
  session: z.string(),
  agent: z.string(),
  agent_type: z.string().nullable(),
  /** The agent's own id of the action; null for one that has none, such as a stop. */
  action: z.string().nullable(),
  tool: z.string(),
  kind: z.string(),
  summary: z.string(),
  decision: z.enum(['allow', 'warn', 'ask', 'deny']),
  /** What each guard that had something to say said, the strictest first. */
  findings: z.array(
    z.strictObject({
      guard: z.string(),
      decision: z.enum(['warn', 'ask', 'deny']),
      reason: z.string(),
      /** Why it did not count. */
      silent: z.enum(['shadow', 'waived']).nullable(),
      waiver: z.string().nullable(),
    }),
  ),
});

export type ActionJudged = z.infer<typeof actionJudgedSchema>;

/** An action that some guard had something to say about. One that nobody objects to leaves no entry. */
export const actionJudged = defineEntryKind({
  kind: 'action_judged',
  schema: actionJudgedSchema,
  freeText: ['summary', 'findings'],
});
