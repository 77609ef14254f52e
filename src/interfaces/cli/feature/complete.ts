import * as z from 'zod';
import { defineCommand } from '../program/cli-command.ts';

export const complete = defineCommand({
  name: 'complete',
  summary: 'merge a feature whose tasks are all approved into the branch you are on',
  arguments: [['<id>', 'the feature, or its one task']],
  options: [['--yes', 'Merge and remove the worktree without asking (person only)']],
  changes: true,
  schema: z.object({
    id: z.string().min(1),
    yes: z.boolean().default(false),
    dryRun: z.boolean().default(false),
  }),
  async run(context, input) {
    const { runComplete } = await import('./run-complete.ts');
    return runComplete(context, input);
  },
});
