import * as z from 'zod';
import { defineCommand } from '../program/cli-command.ts';

export const show = defineCommand({
  name: 'show',
  summary: 'show one trace with all that is known of it',
  arguments: [['<id>', 'such as TRACE-0123456789ab-42']],
  schema: z.object({ id: z.string().min(1) }),
  async run(context, { id }) {
    const { runShow } = await import('./run-show.ts');
    return runShow(context, id);
  },
});
