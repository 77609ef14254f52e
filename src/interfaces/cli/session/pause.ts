import * as z from 'zod';
import { defineCommand } from '../cli-command.ts';

export const pause = defineCommand({
  name: 'pause',
  summary: 'let a session rest until it is resumed',
  options: [['--session <id>', 'the session, where several are open']],
  changes: true,
  schema: z.object({
    session: z.string().min(1).max(200).optional(),
    dryRun: z.boolean().default(false),
  }),
  async run(context, input) {
    const { runTold } = await import('./run-told.ts');
    return runTold(context, 'pause', input);
  },
});
