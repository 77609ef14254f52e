import * as z from 'zod';
import { defineCommand } from '../program/cli-command.ts';

export const discard = defineCommand({
  name: 'discard',
  summary: 'give up what was built of a feature: its worktree and branch go, its turns and their refs stay',
  arguments: [['<id>', 'the feature']],
  options: [['--reason <text>', 'why, for whoever reads the record']],
  changes: true,
  schema: z.object({
    id: z.string().min(1),
    reason: z.string().default(''),
    dryRun: z.boolean().default(false),
  }),
  async run(context, input) {
    const { runDiscard } = await import('./run-discard.ts');
    return runDiscard(context, input);
  },
});
