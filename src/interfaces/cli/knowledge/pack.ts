import * as z from 'zod';
import { openKnowledge, requireGraph } from '../../../architecture/file/open-knowledge.ts';
import { packGraph } from '../../../architecture/query/pack-graph.ts';
import { wholeNumber } from '../input/whole-number.ts';
import { plural } from '../output/printable.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';

export const pack = defineCommand({
  name: 'pack',
  summary: 'Print the part of the graph that a task needs',
  arguments: [['[text...]', 'What the task is about']],
  options: [
    ['--file <path>', 'File that the task will touch', 'repeatable'],
    ['--component <id>', 'Component that the task belongs to', 'repeatable'],
    ['--budget <tokens>', 'Token budget (default: 1500)'],
  ],
  schema: z.object({
    text: z.array(z.string()).default([]),
    file: z.array(z.string()).default([]),
    component: z.array(z.string()).default([]),
    budget: wholeNumber(100_000, 1500),
  }),
  run: runPack,
});

interface PackInput {
  text: readonly string[];
  file: readonly string[];
  component: readonly string[];
  budget: number;
}

async function runPack(context: CliContext, { text, file, component, budget }: PackInput): Promise<Report> {
  const graph = await requireGraph(await openKnowledge(context));
  const packed = packGraph(graph, {
    text: text.join(' '),
    files: file,
    components: component,
    budgetTokens: budget,
  });
  return {
    json: packed,
    text: packed.text || 'Nothing in the architecture graph matches.',
    notices:
      packed.leftOut.length > 0
        ? [`${plural(packed.leftOut.length, 'node')} did not fit; raise --budget to include them.`]
        : [],
  };
}
