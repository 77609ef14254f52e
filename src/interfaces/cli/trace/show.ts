import * as z from 'zod';
import type { StoredTrace } from '../../../domain/entities/trace.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { readTrace } from '../../../learning/traces/query-traces.ts';
import { printable } from '../output/printable.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';
import { openTraces, traceHead } from './open-traces.ts';

export const show = defineCommand({
  name: 'show',
  summary: 'Show one trace in full',
  arguments: [['<id>', 'Trace id, such as TRACE-0123456789ab-42']],
  schema: z.object({ id: z.string().min(1) }),
  async run(context, { id }) {
    return runShow(context, id);
  },
});

async function runShow(context: CliContext, id: string): Promise<Report> {
  const { project, memory } = await openTraces(context);
  const { store, notices } = await memory();
  const trace = await readTrace(store, project, id);
  if (!trace)
    throw new GuardKitError({
      code: 'trace.unknown',
      kind: 'input',
      message: `No trace ${id.slice(0, 80)} in this project.`,
      hint: 'List traces with `guardkit trace list`, or search with `guardkit trace query WORDS`.',
    });
  return { json: trace, text: describe(trace), notices };
}

function describe(trace: StoredTrace): string {
  const { event, context, source, confidence, quotes, action, attempted } = trace;
  const lines: [string, string | number | null][] = [
    ['what happened', event.what_happened],
    ['what was correct', event.what_was_correct],
    ['why', event.why],
    ['source', source.replaceAll('_', ' ')],
    ['attempted', attempted],
    ['turn', context.turn],
    ['session', context.session],
    ['action', action],
    ['confidence', confidence === 1 ? null : confidence],
    ['the person said', quotes[0] ?? null],
    ['the agent had said', quotes[1] ?? null],
  ];
  return [
    printable(traceHead(trace)),
    ...lines
      .filter(([, value]) => value !== null && value !== '')
      .map(([name, value]) => `${name}: ${printable(String(value))}`),
  ].join('\n');
}
