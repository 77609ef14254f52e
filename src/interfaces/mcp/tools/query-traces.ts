import * as z from 'zod';
import { isAuthorUnknown, TRACE_SOURCES, TRACE_TYPES } from '../../../domain/entities/trace.ts';
import { oneLine } from '../../../domain/json/clean-text.ts';
import { recalledMark } from '../../../domain/precedent-marks.ts';
import { parseTimestamp } from '../../../domain/timestamp.ts';
import { type FoundTrace, queryTraces } from '../../../learning/traces/query-traces.ts';
import { defineTool } from '../mcp-tool.ts';
import { openLearning } from '../open-learning.ts';

const name = z.string().min(1).max(300).optional();

export const queryTracesTool = defineTool({
  name: 'query_traces',
  description: 'Search violations, corrections, decisions and approvals in similar situations.',
  readOnly: true,
  input: z.strictObject({
    text: z.string().max(1000).optional().describe('The situation in words (default: the newest traces).'),
    type: z.enum(TRACE_TYPES).optional(),
    source: z.enum(TRACE_SOURCES).optional(),
    guard: name,
    feature: name,
    task: name,
    agent: name.describe('Agent type, such as coding.'),
    since: z.string().max(40).optional().describe('ISO 8601.'),
    limit: z.int().min(1).max(50).default(10),
  }),
  async run(context, { since, ...asked }) {
    const { store, project } = await openLearning(context);
    const found = await queryTraces(store, project, {
      ...asked,
      since: since === undefined ? undefined : parseTimestamp(since),
    });
    const traces = found.filter((trace) => !isAuthorUnknown(trace));
    if (traces.length === 0) return { text: 'No traces match.' };
    return { text: [...traces.map(describe), 'Show one in full with get_entity.'].join('\n') };
  },
});

function describe({ id, timestamp, type, source, outcome, guard, context, event }: FoundTrace): string {
  const own = source === 'agent' ? ', reported by an agent' : '';
  const where = [guard, context.feature, context.task].filter((one) => one !== null).join(', ');
  const correct = event.what_was_correct === '' ? '' : ` → ${event.what_was_correct}`;
  return oneLine(
    `${recalledMark(id)} ${timestamp.slice(0, 10)} ${type} ${outcome} by ${context.agent}${own}${where ? ` (${where})` : ''}: ${event.what_happened}${correct}`,
    400,
  );
}
