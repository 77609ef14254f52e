import * as z from 'zod';
import { defineCommand } from '../program/cli-command.ts';
import { TRACE_FILTER_OPTIONS, traceFilterShape } from './trace-filter.ts';

export const list = defineCommand({
  name: 'list',
  summary: 'list what was refused, corrected, decided and approved, the newest first',
  options: TRACE_FILTER_OPTIONS,
  schema: z.object(traceFilterShape),
  async run(context, input) {
    const { runQuery } = await import('./run-query.ts');
    return runQuery(context, input);
  },
});
