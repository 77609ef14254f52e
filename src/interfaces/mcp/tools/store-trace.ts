import * as z from 'zod';
import { MAX_TRACE_TEXT, TRACE_TYPES } from '../../../domain/entities/trace.ts';
import { workIdSchema } from '../../../domain/entities/work-id.ts';
import { bareAgentType } from '../../../domain/feature-list/list-rights.ts';
import { listContext } from '../../../enforcement/feature-list/known-list.ts';
import { recordTrace, taskSchema } from '../../../learning/traces/record-trace.ts';
import { deliverToMemory } from '../../../store/ledger/outbox/deliver-to-memory.ts';
import { callingAgent } from '../calling-agent.ts';
import type { McpContext } from '../mcp-context.ts';
import { defineTool, type ToolAnswer } from '../mcp-tool.ts';

const text = z.string().max(MAX_TRACE_TEXT);

const input = z.strictObject({
  type: z.enum(TRACE_TYPES),
  event: z.strictObject({
    what_happened: text.min(1),
    what_was_correct: text.default(''),
    why: text.default(''),
  }),
  context: z
    .strictObject({
      agent: z.string().max(300).optional().describe('Ignored: GuardKit records the caller.'),
      feature: workIdSchema.optional(),
      task: taskSchema.unwrap().unwrap().optional().describe('Task id or a few words.'),
    })
    .default({}),
});

export const storeTraceTool = defineTool({
  name: 'store_trace',
  description: 'Record a decision, correction, violation or approval for later agents.',
  readOnly: false,
  input,
  run: storeTrace,
});

/** The recorded caller comes from the hooks, and the trace is always marked as an agent's. */
async function storeTrace(
  context: McpContext,
  { type, event, context: { agent: _claimed, ...about } }: z.infer<typeof input>,
): Promise<ToolAnswer> {
  const { root, project, home } = await context.project();
  const ledger = await context.ledger();
  const { changedBy } = callingAgent(listContext(ledger, project, root, home), context.env);
  const { agent: program, session, type: kind } = changedBy.actor;
  const { id } = recordTrace(
    ledger,
    project,
    {
      type,
      event,
      context: {
        ...about,
        agent: kind === undefined ? 'main' : bareAgentType(kind) || 'main',
        program,
        session,
      },
    },
    'agent',
  );
  const memory = await deliverToMemory(ledger, (await context.workspace()).store);
  return { text: [`Recorded as ${id}.`, ...(memory === undefined ? [] : [memory])].join('\n') };
}
