import * as z from 'zod';
import { defineCommand } from '../program/cli-command.ts';
import { TRACE_FILTER_OPTIONS, traceFilterShape } from './trace-filter.ts';

export const query = defineCommand({
  name: 'query',
  summary: 'find traces by words, the best first',
  arguments: [['<words>', 'what they are about']],
  options: TRACE_FILTER_OPTIONS,
  schema: z.object({ words: z.string().trim().min(1, 'say what to look for'), ...traceFilterShape }),
  async run(context, { words, ...filter }) {
    const { runQuery } = await import('./run-query.ts');
    return runQuery(context, { ...filter, text: words });
  },
});
