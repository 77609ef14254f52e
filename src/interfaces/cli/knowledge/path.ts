import * as z from 'zod';
import { defineCommand } from '../program/cli-command.ts';

export const path = defineCommand({
  name: 'path',
  summary: 'show one of the shortest ways between two nodes of the architecture graph',
  arguments: [
    ['<from>', 'the id of a node'],
    ['<to>', 'the id of another'],
  ],
  options: [
    ['--relation <relation>', 'only along edges of this relation'],
    ['--directed', 'only along the edges, not against them'],
  ],
  schema: z.object({
    from: z.string().min(1),
    to: z.string().min(1),
    relation: z.string().optional(),
    directed: z.boolean().default(false),
  }),
  async run(context, input) {
    const { runPath } = await import('./run-path.ts');
    return runPath(context, input);
  },
});
