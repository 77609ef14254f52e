import * as z from 'zod';
import { defineCommand } from '../cli-command.ts';

export const verify = defineCommand({
  name: 'verify',
  summary: 'Run tests and checks and judge them by the gates',
  arguments: [['<id>', 'a feature (FEAT-…) or a task (TASK-…)']],
  options: [
    [
      '--base <ref>',
      'the commit that the change is judged against; where this branch left main, unless said',
    ],
    ['--yes', 'confirm commands that were detected, for a project that names none'],
    ['--fresh-base', 'run the base again, though its results are known'],
  ],
  schema: z.object({
    id: z.string().min(1),
    base: z.string().min(1).optional(),
    yes: z.boolean().default(false),
    freshBase: z.boolean().default(false),
  }),
  async run(context, input) {
    const { runVerify } = await import('./run-verify.ts');
    return runVerify(context, input);
  },
});
