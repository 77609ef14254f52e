import * as z from 'zod';
import { defineCommand } from '../program/cli-command.ts';

export const accept = defineCommand({
  name: 'accept',
  summary: 'Accept pending definitions and changed test commands',
  arguments: [['[path]', 'File or folder (default: every pending definition)']],
  options: [
    ['--reason <text>', 'Reason, kept in the record'],
    ['--base <ref>', 'Commit to compare with (default: merge base with main)'],
    ['--yes', 'Accept everything shown without asking (person only)'],
    ['--restore', 'Same as `guardkit restore PATH`'],
  ],
  changes: true,
  schema: z.object({
    path: z.string().min(1).optional(),
    reason: z.string().default(''),
    base: z.string().min(1).optional(),
    yes: z.boolean().default(false),
    restore: z.boolean().default(false),
    dryRun: z.boolean().default(false),
  }),
  async run(context, { restore, ...input }) {
    if (restore) {
      const { runRestore } = await import('../protection/run-restore.ts');
      return runRestore(context, { path: input.path, diff: false, yes: false, dryRun: input.dryRun });
    }
    const { runAccept } = await import('./run-accept.ts');
    return runAccept(context, input);
  },
});
