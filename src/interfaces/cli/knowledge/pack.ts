import * as z from 'zod';
import { wholeNumber } from '../input/whole-number.ts';
import { defineCommand } from '../program/cli-command.ts';

export const pack = defineCommand({
  name: 'pack',
  summary: 'print the part of the architecture graph that a task needs, as it goes into a prompt',
  arguments: [['[text...]', 'what the task is about']],
  options: [
    ['--file <path>', 'a file that it will touch', 'repeatable'],
    ['--component <id>', 'a component that it belongs to', 'repeatable'],
    ['--budget <tokens>', 'about so many tokens (default: 1500)'],
  ],
  schema: z.object({
    text: z.array(z.string()).default([]),
    file: z.array(z.string()).default([]),
    component: z.array(z.string()).default([]),
    budget: wholeNumber(100_000, 1500),
  }),
  async run(context, input) {
    const { runPack } = await import('./run-pack.ts');
    return runPack(context, input);
  },
});
