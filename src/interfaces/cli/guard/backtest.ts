import * as z from 'zod';
import { defineCommand } from '../program/cli-command.ts';

export const backtest = defineCommand({
  name: 'backtest',
  summary:
    'try a guard on everything that agents did until now: how often it would have been right, and wrong',
  arguments: [['<guard>', 'its id, or the file of one that is being written']],
  schema: z.object({ guard: z.string().min(1) }),
  async run(context, input) {
    const { runBacktest } = await import('./run-backtest.ts');
    return runBacktest(context, input);
  },
});
