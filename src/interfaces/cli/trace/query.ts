import * as z from 'zod';
import { TRACE_SOURCES, TRACE_TYPES } from '../../../domain/entities/trace.ts';
import { queryTraces, type TraceQuery } from '../../../learning/traces/query-traces.ts';
import { systemClock } from '../../../platform/clock.ts';
import { pastTime } from '../input/time-input.ts';
import { wholeNumber } from '../input/whole-number.ts';
import { oneLine, plural } from '../output/printable.ts';
import { type CliContext, type DescribedOption, defineCommand, type Report } from '../program/cli-command.ts';
import { openTraces, traceHead } from './open-traces.ts';

/** Filters of `list` and `query`. */
export const TRACE_FILTER_OPTIONS: readonly DescribedOption[] = [
  ['--type <type>', `Only ${TRACE_TYPES.join(', ')}`],
  ['--source <source>', `Only from ${TRACE_SOURCES.join(', ')}`],
  ['--guard <guard>', 'Only about this guard or gate'],
  ['--feature <feature>', 'Only about this feature'],
  ['--task <task>', 'Only about this task'],
  ['--agent <agent>', 'Only about this agent type (main: the one you talk to)'],
  ['--session <session>', 'Only from this session'],
  ['--since <time>', 'Only traces newer than an age (7d, 12w) or a date'],
  ['--limit <n>', 'Show at most N traces (default: 20)'],
];

const text = z.string().min(1).optional();

export const traceFilterShape = {
  type: z.enum(TRACE_TYPES).optional(),
  source: z.enum(TRACE_SOURCES).optional(),
  guard: text,
  feature: text,
  task: text,
  agent: text,
  session: text,
  since: z
    .string()
    .transform((text) => pastTime(text, systemClock()))
    .optional(),
  limit: wholeNumber(500, 20),
};

export const query = defineCommand({
  name: 'query',
  summary: 'Search traces, best match first',
  arguments: [['<words>', 'Words to search for']],
  options: TRACE_FILTER_OPTIONS,
  schema: z.object({ words: z.string().trim().min(1, 'expected words to search for'), ...traceFilterShape }),
  async run(context, { words, ...filter }) {
    return runQuery(context, { ...filter, text: words });
  },
});

export async function runQuery(context: CliContext, query: TraceQuery): Promise<Report> {
  const { project, memory } = await openTraces(context);
  const { store, notices } = await memory();
  const traces = await queryTraces(store, project, query);
  return {
    json: { traces },
    text: [
      traces.length === 0 ? 'No traces match.' : plural(traces.length, 'trace'),
      ...traces.flatMap((trace) => [
        oneLine(traceHead(trace), context.width),
        `  ${oneLine(trace.event.what_happened, context.width - 2)}`,
      ]),
      ...(traces.length === 0 ? [] : ['Show one in full with `guardkit trace show ID`.']),
    ].join('\n'),
    notices,
  };
}
