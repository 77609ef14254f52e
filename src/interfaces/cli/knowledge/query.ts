import * as z from 'zod';
import { wholeNumber } from '../input/whole-number.ts';
import { defineCommand } from '../program/cli-command.ts';

export const query = defineCommand({
  name: 'query',
  summary: 'find nodes of the architecture graph by what they say, the best first',
  arguments: [['[text...]', 'words, or an id']],
  options: [
    ['--type <type>', 'only nodes of this type'],
    ['--tag <tag>', 'only nodes with this tag'],
    ['--status <status>', 'only nodes of this status'],
    ['--relation <relation>', 'only nodes with an edge of this relation'],
    ['--depth <count>', 'also nodes so many edges away (default: none)'],
    ['--limit <count>', 'at most so many (default: 20)'],
  ],
  schema: z.object({
    text: z.array(z.string()).default([]),
    type: z.string().optional(),
    tag: z.string().optional(),
    status: z.string().optional(),
    relation: z.string().optional(),
    depth: wholeNumber(10, 0),
    limit: wholeNumber(1000, 20),
  }),
  async run(context, input) {
    const { runQuery } = await import('./run-query.ts');
    return runQuery(context, { ...input, text: input.text.join(' ').trim() || undefined });
  },
});
