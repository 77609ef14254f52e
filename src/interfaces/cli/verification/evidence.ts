import * as z from 'zod';
import { defineCommand } from '../program/cli-command.ts';

export const evidence = defineCommand({
  name: 'evidence',
  summary: 'list the runs that a feature or task rests on, or vouch for a gate that cannot be run',
  arguments: [['<id>', 'a feature (FEAT-…) or a task (TASK-…)']],
  options: [
    ['--vouch <gate>', 'record manual evidence for this gate on the files as they are; only a person may'],
    ['--reason <text>', 'what was looked at, with --vouch'],
  ],
  changes: true,
  schema: z
    .object({
      id: z.string().min(1),
      vouch: z.string().min(1).optional(),
      reason: z.string().optional(),
      dryRun: z.boolean().default(false),
    })
    .refine(({ vouch, reason }) => vouch === undefined || (reason ?? '').trim() !== '', {
      path: ['reason'],
      message: 'manual evidence needs a reason: say what you looked at',
    }),
  async run(context, input) {
    const { runEvidence } = await import('./run-evidence.ts');
    return runEvidence(context, input);
  },
});
