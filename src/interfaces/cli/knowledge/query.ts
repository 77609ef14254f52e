import * as z from 'zod';
import {
  type OpenedKnowledge,
  openKnowledge,
  requireGraph,
} from '../../../architecture/file/open-knowledge.ts';
import { type GraphQuery, queryGraph } from '../../../architecture/query/query-graph.ts';
import { legalValues, nearestValue } from '../../../architecture/schema/knowledge-schema.ts';
import { didYouMean } from '../../../domain/nearest-word.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { wholeNumber } from '../input/whole-number.ts';
import { oneLine, plural } from '../output/printable.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';
import { edgeJson, nodeJson, nodeLine } from './show.ts';

export const query = defineCommand({
  name: 'query',
  summary: 'Search the graph, best match first',
  arguments: [['[text...]', 'Words or a node id']],
  options: [
    ['--type <type>', 'Only nodes of this type'],
    ['--tag <tag>', 'Only nodes with this tag'],
    ['--status <status>', 'Only nodes with this status'],
    ['--relation <relation>', 'Only nodes with an edge of this relation'],
    ['--depth <count>', 'Also show nodes up to N edges away (default: 0)'],
    ['--limit <count>', 'Show at most N nodes (default: 20)'],
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
    return runQuery(context, { ...input, text: input.text.join(' ').trim() || undefined });
  },
});

async function runQuery(context: CliContext, query: GraphQuery): Promise<Report> {
  const opened = await openKnowledge(context);
  for (const field of ['type', 'status', 'relation', 'tag'] as const)
    assertLegal(opened, field, query[field]);
  const { hits, edges, total } = queryGraph(await requireGraph(opened), query);
  const more = total > hits.length ? `; ${total - hits.length} more with a higher --limit` : '';
  return {
    json: {
      total,
      hits: hits.map(({ node, score, distance }) => ({ ...nodeJson(node), score, distance })),
      edges: edges.map(edgeJson),
    },
    text: [
      ...hits.map(({ node, score }) => oneLine(`${score.toFixed(2)}  ${nodeLine(node)}`, context.width)),
      ...(edges.length > 0
        ? ['', ...edges.slice(0, 50).map((edge) => `${edge.from} ${edgeJson(edge).relation} ${edge.to}`)]
        : []),
      ...(hits.length > 0 ? [''] : []),
      `${plural(total, 'node')} found${more}`,
    ].join('\n'),
  };
}

/** An unknown value is likely a typo. */
export function assertLegal(
  { schema }: Pick<OpenedKnowledge, 'schema'>,
  field: string,
  value: string | undefined,
): void {
  const legal = legalValues(schema, field);
  if (value === undefined || !legal || legal.includes(value)) return;
  const nearest = nearestValue(schema, field, value);
  throw new GuardKitError({
    code: 'usage',
    kind: 'input',
    message: `--${field} ${value}: no such ${field}.`,
    hint: `Use one of ${legal.join(', ')}.${didYouMean(nearest)}`,
  });
}
