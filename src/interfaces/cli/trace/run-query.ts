import { queryTraces, type TraceQuery } from '../../../learning/traces/query-traces.ts';
import { oneLine, plural } from '../output/printable.ts';
import type { CliContext, Report } from '../program/cli-command.ts';
import { openTraces } from './open-traces.ts';
import { traceHead } from './trace-head.ts';

export async function runQuery(context: CliContext, query: TraceQuery): Promise<Report> {
  const { project, memory } = await openTraces(context);
  const { store, notices } = await memory();
  const traces = await queryTraces(store, project, query);
  return {
    json: { traces },
    text: [
      traces.length === 0 ? 'No trace fits.' : plural(traces.length, 'trace'),
      ...traces.flatMap((trace) => [
        oneLine(traceHead(trace), context.width),
        `  ${oneLine(trace.event.what_happened, context.width - 2)}`,
      ]),
      ...(traces.length === 0 ? [] : ['`guardkit trace show ID` shows all of one.']),
    ].join('\n'),
    notices,
  };
}
