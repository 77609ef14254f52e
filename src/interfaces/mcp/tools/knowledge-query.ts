import * as z from 'zod';
import { findNode } from '../../../architecture/edit/operation.ts';
import { openKnowledge, requireReadable } from '../../../architecture/file/open-knowledge.ts';
import {
  type ArchitectureEdge,
  type ArchitectureGraph,
  type ArchitectureNode,
  attributeOf,
} from '../../../architecture/graph/architecture-graph.ts';
import { queryGraph } from '../../../architecture/query/query-graph.ts';
import type { KnowledgeSchema } from '../../../architecture/schema/knowledge-schema.ts';
import { oneLine } from '../../../domain/json/clean-text.ts';
import type { McpContext } from '../mcp-context.ts';
import { describeWrongCall, type McpTool, type ToolAnswer, WRONG_CALL, withoutNulls } from '../mcp-tool.ts';
import { schemaHere } from './schema-here.ts';

const MAX_SHOWN = 100;
const MAX_EDGES = 60;

function inputSchema(schema: KnowledgeSchema) {
  const one = (values: readonly string[]) => z.enum(values).optional();
  return z.strictObject({
    text: z.string().max(2000).optional().describe('Words or a node id.'),
    node: z.string().max(500).optional().describe('Show this node with its fields and edges.'),
    type: one(schema.types),
    status: one(schema.statuses),
    tag: schema.tags ? one(schema.tags) : z.string().max(200).optional(),
    relation: one(schema.relations).describe('Only nodes with an edge of this relation.'),
    depth: z.int().min(0).max(5).default(0).describe('Also neighbours up to N edges away.'),
    limit: z.int().min(1).max(MAX_SHOWN).default(20),
  });
}

export const knowledgeQueryTool: McpTool = {
  name: 'knowledge_query',
  description: 'Search components, rules and relations in the architecture graph, or show one node.',
  readOnly: true,
  input: async (context) => inputSchema(await schemaHere(context)),
  run: query,
};

async function query(context: McpContext, given: unknown): Promise<ToolAnswer> {
  const opened = await openKnowledge(context);
  const input = inputSchema(opened.schema);
  const parsed = input.safeParse(withoutNulls(given));
  if (!parsed.success)
    return {
      refused: true,
      code: WRONG_CALL,
      text: describeWrongCall('knowledge_query', input, parsed.error),
    };
  const current = await opened.file.read();
  if (!current)
    return { text: 'There is no architecture graph yet; create one with knowledge_update and add_node.' };
  const graph = requireReadable(opened.file.name, current.text);
  const { node, ...asked } = parsed.data;
  if (node !== undefined) return showNode(graph, node);
  const { hits, edges, total } = queryGraph(graph, asked);
  if (total === 0) return { text: `None of ${graph.nodes.size} nodes matches.` };
  const more = total - hits.length;
  return {
    text: [
      `${total} of ${graph.nodes.size} nodes${more > 0 ? `, the best ${hits.length}` : ''}:`,
      ...hits.map(({ node: hit }) => nodeLine(hit)),
      ...edges.slice(0, MAX_EDGES).map(edgeLine),
      ...(edges.length > MAX_EDGES ? [`… and ${edges.length - MAX_EDGES} more edges`] : []),
      ...(more > 0 ? [`${more} more: raise limit or narrow the search.`] : []),
    ].join('\n'),
  };
}

function showNode(graph: ArchitectureGraph, id: string): ToolAnswer {
  const found = findNode(graph, id, 'Search with text.');
  if (!found.ok) return { refused: true, code: found.code, text: `${found.message} ${found.hint}` };
  const { node } = found;
  const edges = graph.edges.filter(({ from, to }) => from === id || to === id);
  const parts = [...graph.nodes.values()].filter((one) => attributeOf(one, 'component') === id);
  return {
    text: [
      node.declared ? id : `${id} (only named by edges)`,
      ...[...node.attributes.keys()].map((name) => `  ${name}: ${attributeOf(node, name) ?? ''}`),
      ...edges.slice(0, MAX_SHOWN).map(edgeLine),
      ...(edges.length > MAX_SHOWN ? [`… and ${edges.length - MAX_SHOWN} more edges`] : []),
      ...(parts.length > 0 ? [`parts: ${oneLine(parts.map((part) => part.id).join(', '), 2000)}`] : []),
    ].join('\n'),
  };
}

function nodeLine(node: ArchitectureNode): string {
  const status = attributeOf(node, 'status');
  const kind = [attributeOf(node, 'priority'), attributeOf(node, 'type') ?? 'no type']
    .filter(Boolean)
    .join(' ');
  const mark = status === undefined || status === 'current' ? '' : `, ${status}`;
  return oneLine(`- ${node.id} (${kind}${mark}): ${attributeOf(node, 'description') ?? ''}`, 240);
}

function edgeLine(edge: ArchitectureEdge): string {
  const note = attributeOf(edge, 'note');
  const relation = attributeOf(edge, 'relation') ?? '(no relation)';
  return oneLine(`${edge.from} ${relation} ${edge.to}${note === undefined ? '' : ` (${note})`}`, 300);
}
