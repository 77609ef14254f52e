import * as z from 'zod';
import { defineCommand } from '../cli-command.ts';

export const resume = defineCommand({
  name: 'resume',
  summary: 'let a session that rests go on',
  options: [['--session <id>', 'the session, where several are open']],
  changes: true,
  schema: z.object({
    session: z.string().min(1).max(200).optional(),
    dryRun: z.boolean().default(false),
  }),
  async run(context, input) {
    const { runTold } = await import('./run-told.ts');
    return runTold(context, 'resume', input);
  },
});
