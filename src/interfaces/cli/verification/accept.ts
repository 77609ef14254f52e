import * as z from 'zod';
import { defineCommand } from '../cli-command.ts';

export const accept = defineCommand({
  name: 'accept',
  summary:
    'say as a person that a changed file is yours: configuration, a task, or what the test command runs through',
  arguments: [['[path]', 'the file; without it, every open difference is shown and asked about']],
  options: [
    ['--reason <text>', 'why, for whoever reads the record'],
    ['--base <ref>', 'the commit that the change is judged against'],
    ['--restore', 'the same as `guardkit restore PATH`'],
  ],
  changes: true,
  schema: z.object({
    path: z.string().min(1).optional(),
    reason: z.string().default(''),
    base: z.string().min(1).optional(),
    restore: z.boolean().default(false),
    dryRun: z.boolean().default(false),
  }),
  async run(context, { restore, ...input }) {
    if (restore) {
      const { runRestore } = await import('../run-restore.ts');
      return runRestore(context, { path: input.path, diff: false, yes: false, dryRun: input.dryRun });
    }
    const { runAccept } = await import('./run-accept.ts');
    return runAccept(context, input);
  },
});
