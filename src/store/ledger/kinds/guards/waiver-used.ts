import * as z from 'zod';
import { defineEntryKind } from '../../chain/entry-kind.ts';
import { agentContext, traceEpisodes } from '../../outbox/trace-episode.ts';

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
