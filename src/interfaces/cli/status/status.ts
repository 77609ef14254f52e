import * as z from 'zod';
import { defineCommand } from '../program/cli-command.ts';

export const status = defineCommand({
  name: 'status',
  summary: 'Show what is protected, pending, running and refused',
  changes: true,
  schema: z.object({ json: z.boolean().default(false), dryRun: z.boolean().default(false) }),
  async run(context, input) {
    const { runStatus } = await import('./run-status.ts');
    return runStatus(context, input);
  },
});
