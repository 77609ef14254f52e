import * as z from 'zod';
import { defineCommand } from '../program/cli-command.ts';
import { runQuery, TRACE_FILTER_OPTIONS, traceFilterShape } from './query.ts';

export const list = defineCommand({
  name: 'list',
  summary: 'List traces, newest first',
  options: TRACE_FILTER_OPTIONS,
  schema: z.object(traceFilterShape),
  run: runQuery,
});
