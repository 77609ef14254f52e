import * as z from 'zod';
import { defineCommand } from '../program/cli-command.ts';

export const propose = defineCommand({
  name: 'propose',
  summary:
    'make a guard of a pattern, which only watches until it is promoted; without one, list the patterns',
  arguments: [['[pattern]', 'its id']],
  changes: true,
  schema: z.object({ pattern: z.string().min(1).optional(), dryRun: z.boolean().default(false) }),
  async run(context, input) {
    const { runPropose } = await import('./run-propose.ts');
    return runPropose(context, input);
  },
});
