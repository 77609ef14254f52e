import * as z from 'zod';
import { defineCommand } from '../program/cli-command.ts';

export const show = defineCommand({
  name: 'show',
  summary: 'show the architecture graph, or one node of it with its edges and where it is written',
  arguments: [['[node]', 'the id of a node']],
  schema: z.object({ node: z.string().min(1).optional() }),
  async run(context, { node }) {
    const { runShow } = await import('./run-show.ts');
    return runShow(context, node);
  },
});
