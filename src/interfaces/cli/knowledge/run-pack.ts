import { openKnowledge, requireGraph } from '../../../architecture/file/open-knowledge.ts';
import { packGraph } from '../../../architecture/query/pack-graph.ts';
import { plural } from '../output/printable.ts';
import type { CliContext, Report } from '../program/cli-command.ts';

interface PackInput {
  text: readonly string[];
  file: readonly string[];
  component: readonly string[];
  budget: number;
}

export async function runPack(
  context: CliContext,
  { text, file, component, budget }: PackInput,
): Promise<Report> {
  const graph = await requireGraph(await openKnowledge(context));
  const packed = packGraph(graph, {
    text: text.join(' '),
    files: file,
    components: component,
    budgetTokens: budget,
  });
  return {
    json: packed,
    text: packed.text || 'Nothing in the architecture graph is about this.',
    notices:
      packed.leftOut.length > 0
        ? [`${plural(packed.leftOut.length, 'node')} found no room; a higher --budget shows them.`]
        : [],
  };
}
