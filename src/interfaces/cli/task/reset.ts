import * as z from 'zod';
import { defineCommand } from '../program/cli-command.ts';

export const reset = defineCommand({
  name: 'reset',
  summary: 'let a task start afresh: its next turn sees nothing of those before, which stay on record',
  arguments: [['<id>', 'the task']],
  options: [['--reason <text>', 'why, for whoever reads the record']],
  changes: true,
  schema: z.object({
    id: z.string().min(1),
    reason: z.string('say why, as in --reason "the wrong approach"').trim().min(1, 'say why'),
    dryRun: z.boolean().default(false),
  }),
  async run(context, input) {
    const { runReset } = await import('./run-reset.ts');
    return runReset(context, input);
  },
});
