import * as z from 'zod';
import { defineCommand } from '../program/cli-command.ts';
import { runQuery } from './run-query.ts';
import { TRACE_FILTER_OPTIONS, traceFilterShape } from './trace-filter.ts';

export const list = defineCommand({
  name: 'list',
  summary: 'list what was refused, corrected, decided and approved, the newest first',
  options: TRACE_FILTER_OPTIONS,
  schema: z.object(traceFilterShape),
  run: runQuery,
});
