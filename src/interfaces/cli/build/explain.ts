import * as z from 'zod';
import { defineCommand } from '../program/cli-command.ts';

export const explain = defineCommand({
  name: 'explain',
  summary: 'Explain what was tried for a task and why it failed',
  arguments: [['<id>', 'a task (TASK-…), or a feature of which one task was built']],
  schema: z.object({ id: z.string().min(1) }),
  async run(context, { id }) {
    const { runExplain } = await import('./run-explain.ts');
    return runExplain(context, id);
  },
});
