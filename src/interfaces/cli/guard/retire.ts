import * as z from 'zod';
import { defineCommand } from '../program/cli-command.ts';

export const retire = defineCommand({
  name: 'retire',
  summary: 'take a guard that was learned out of force; only a person may',
  arguments: [['<guard>', 'its id']],
  options: [['--reason <text>', 'why, for whoever reads the record']],
  changes: true,
  schema: z.object({
    guard: z.string().min(1),
    reason: z.string().trim().max(1000).default(''),
    dryRun: z.boolean().default(false),
  }),
  async run(context, input) {
    const { runRetire } = await import('./run-retire.ts');
    return runRetire(context, input);
  },
});
