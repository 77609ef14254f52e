import * as z from 'zod';
import { defineCommand } from '../cli-command.ts';

export const abandon = defineCommand({
  name: 'abandon',
  summary: 'end a session; its features stay as they are',
  options: [['--session <id>', 'the session, where several are open']],
  changes: true,
  schema: z.object({
    session: z.string().min(1).max(200).optional(),
    dryRun: z.boolean().default(false),
  }),
  async run(context, input) {
    const { runTold } = await import('./run-told.ts');
    return runTold(context, 'abandon', input);
  },
});
