import * as z from 'zod';
import { defineCommand } from '../program/cli-command.ts';

export const show = defineCommand({
  name: 'show',
  summary: 'show a guard: what it holds, where it acts, and the waivers that let it be passed',
  arguments: [['<guard>', 'its id']],
  schema: z.object({ guard: z.string().min(1) }),
  async run(context, input) {
    const { runShow } = await import('./run-show.ts');
    return runShow(context, input);
  },
});
