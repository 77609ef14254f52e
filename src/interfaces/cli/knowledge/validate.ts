import * as z from 'zod';
import { defineCommand } from '../program/cli-command.ts';

export const validate = defineCommand({
  name: 'validate',
  summary: 'check the architecture graph, and list all faults and warnings at once, each with its line',
  options: [
    ['--changed', 'only if this branch changes the graph, and only what it adds to the faults of its base'],
    ['--base <ref>', 'with --changed: the branch or commit that this one is compared with'],
  ],
  schema: z.object({ changed: z.boolean().default(false), base: z.string().min(1).optional() }),
  async run(context, input) {
    const { runValidate } = await import('./run-validate.ts');
    return runValidate(context, input);
  },
});
