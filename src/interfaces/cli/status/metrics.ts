import * as z from 'zod';
import { defineCommand } from '../program/cli-command.ts';

export const metrics = defineCommand({
  name: 'metrics',
  summary:
    'show whether rules hold: false completions, prompts, sizes of prompts, repeated mistakes, compliance',
  options: [['--since <time>', 'a date such as 2026-03-01, or a time such as 7d or 12w; 30d unless said']],
  schema: z.object({
    since: z.string().default('30d'),
  }),
  async run(context, input) {
    const { runMetrics } = await import('./run-metrics.ts');
    return runMetrics(context, input);
  },
});
