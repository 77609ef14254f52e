import * as z from 'zod';
import { defineCommand } from '../program/cli-command.ts';

export const promote = defineCommand({
  name: 'promote',
  summary: 'let a guard that was learned warn or refuse; only a person may',
  arguments: [['<guard>', 'its id']],
  options: [['--to <mode>', 'warn or enforce; enforce unless said']],
  changes: true,
  schema: z.object({
    guard: z.string().min(1),
    to: z.enum(['warn', 'enforce'], 'warn or enforce is expected').default('enforce'),
    dryRun: z.boolean().default(false),
  }),
  async run(context, input) {
    const { runPromote } = await import('./run-promote.ts');
    return runPromote(context, input);
  },
});
