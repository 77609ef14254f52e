import * as z from 'zod';
import { defineCommand } from '../program/cli-command.ts';

export const list = defineCommand({
  name: 'list',
  summary: 'list the guards of this project, with how each of them acts',
  schema: z.object({}),
  async run(context) {
    const { runList } = await import('./run-list.ts');
    return runList(context);
  },
});
