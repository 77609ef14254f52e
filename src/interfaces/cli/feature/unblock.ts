import * as z from 'zod';
import { defineCommand } from '../program/cli-command.ts';
import { oneLineText } from '../task/one-line-text.ts';

export const unblock = defineCommand({
  name: 'unblock',
  summary: 'let a blocked feature be tried again, its attempts counted anew',
  arguments: [['<id>', 'the feature']],
  options: [['--reason <text>', 'what is different now, for whoever reads the record']],
  changes: true,
  schema: z.object({
    id: z.string().min(1),
    reason: z.string({ error: 'say why' }).pipe(oneLineText(1000)),
    dryRun: z.boolean().default(false),
  }),
  async run(context, input) {
    const { runUnblock } = await import('./run-unblock.ts');
    return runUnblock(context, input);
  },
});
