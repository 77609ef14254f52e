import * as z from 'zod';
import { wholeNumber } from '../input/whole-number.ts';
import { defineCommand } from '../program/cli-command.ts';

export const render = defineCommand({
  name: 'render',
  summary: 'draw the architecture graph: colours by type, faded where it is deprecated, with a legend',
  options: [
    ['--out <file>', 'write the picture there instead of printing it'],
    ['--format <format>', 'svg or dot (default: svg)'],
    ['--around <node>', 'only what is near this node', 'repeatable'],
    ['--depth <count>', 'with --around: how many edges away (default: 1)'],
  ],
  changes: true,
  schema: z.object({
    out: z.string().min(1).optional(),
    format: z.enum(['svg', 'dot']).optional(),
    around: z.array(z.string()).default([]),
    depth: wholeNumber(10, 1),
    dryRun: z.boolean().default(false),
  }),
  async run(context, input) {
    const { runRender } = await import('./run-render.ts');
    return runRender(context, input);
  },
});
