import * as z from 'zod';
import { defineCommand } from '../program/cli-command.ts';

export const waivers = defineCommand({
  name: 'waivers',
  summary: 'list the waivers that hold now, and how they were used last',
  schema: z.object({}),
  async run(context) {
    const { runWaivers } = await import('./run-waivers.ts');
    return runWaivers(context);
  },
});
