import * as z from 'zod';
import { defineCommand } from '../program/cli-command.ts';

export const share = defineCommand({
  name: 'share',
  summary: 'let all projects know a learned guard or a pattern, with where it is from; only a person may',
  arguments: [['<id>', 'of a guard or a pattern']],
  changes: true,
  schema: z.object({ id: z.string().min(1), dryRun: z.boolean().default(false) }),
  async run(context, input) {
    const { runShare } = await import('./run-share.ts');
    return runShare(context, input);
  },
});
