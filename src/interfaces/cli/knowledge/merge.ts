import * as z from 'zod';
import { defineCommand } from '../cli-command.ts';

export const merge = defineCommand({
  name: 'merge',
  summary:
    'merge two versions of the architecture graph by node and edge, as a merge driver of git: `guardkit knowledge merge %O %A %B`',
  arguments: [
    ['<base>', 'the version that both come from'],
    ['<ours>', 'our version; the result is written here'],
    ['<theirs>', 'their version'],
  ],
  options: [['--print', 'print the result instead of writing it']],
  changes: true,
  schema: z.object({
    base: z.string().min(1),
    ours: z.string().min(1),
    theirs: z.string().min(1),
    print: z.boolean().default(false),
    dryRun: z.boolean().default(false),
  }),
  async run(context, input) {
    const { runMerge } = await import('./run-merge.ts');
    return runMerge(context, input);
  },
});
