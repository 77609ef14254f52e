import * as z from 'zod';
import { LineIndex } from '../../../architecture/dot/dot-fault.ts';
import { findNode } from '../../../architecture/edit/operation.ts';
import { GRAPH_PATH } from '../../../architecture/file/graph-file.ts';
import { openKnowledge, requireGraph } from '../../../architecture/file/open-knowledge.ts';
import {
  type ArchitectureEdge,
  type ArchitectureGraph,
  type ArchitectureNode,
  attributeOf,
} from '../../../architecture/graph/architecture-graph.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { oneLine, plural } from '../output/printable.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';

export const show = defineCommand({
  name: 'show',
  summary: 'Show the graph, or one node with its edges',
  arguments: [['[node]', 'Node id']],
  schema: z.object({ node: z.string().min(1).optional() }),
  async run(context, { node }) {
    return runShow(context, node);
  },
});

async function runShow(context: CliContext, id: string | undefined): Promise<Report> {
  const graph = await requireGraph(await openKnowledge(context));
  return id === undefined ? showGraph(graph, context.width) : showNode(graph, id, context.width);
}

function showGraph(graph: ArchitectureGraph, width: number): Report {
  const nodes = [...graph.nodes.values()];
  const typeOf = (node: ArchitectureNode) => attributeOf(node, 'type') ?? '(no type)';
  const types = [...new Set(nodes.map(typeOf))];
  return {
    json: { nodes: nodes.map(nodeJson), edges: graph.edges.map(edgeJson) },
    text: [
      `${plural(nodes.length, 'node')}, ${plural(graph.edges.length, 'edge')}`,
      ...types.flatMap((type) => {
        const members = nodes.filter((node) => typeOf(node) === type);
        const lines = members.map((node) => `  ${oneLine(nodeLine(node), width - 2)}`);
        return ['', `${type} (${members.length})`, ...lines];
      }),
    ].join('\n'),
  };
}

function showNode(graph: ArchitectureGraph, id: string, width: number): Report {
  const found = findNode(graph, id, 'Search with `guardkit knowledge query WORDS`.');
  if (!found.ok) {
    throw new GuardKitError({ code: found.code, kind: 'input', message: found.message, hint: found.hint });
  }
  const { node } = found;
  const lines = new LineIndex(graph.text);
  const places = node.mentions.map(({ reference }) => lines.placeOf(reference.start));
  const out = graph.edges.filter(({ from }) => from === id);
  const into = graph.edges.filter(({ to, from }) => to === id && from !== id);
  const parts = [...graph.nodes.values()].filter((one) => attributeOf(one, 'component') === id);
  return {
    json: {
      ...nodeJson(node),
      file: GRAPH_PATH,
      places,
      edges: [...out, ...into].map(edgeJson),
      parts: parts.map((part) => part.id),
    },
    text: [
      `${node.id}${node.declared ? '' : ' (only named by edges)'}`,
      ...[...node.attributes.keys()].flatMap((name) => {
        const value = attributeOf(node, name);
        return value === undefined ? [] : [`  ${name}: ${oneLine(value, width - name.length - 4)}`];
      }),
      ...out.map((edge) => `  → ${relationOf(edge)} ${edge.to}${noteOf(edge)}`),
      ...into.map((edge) => `  ← ${relationOf(edge)} ${edge.from}${noteOf(edge)}`),
      ...(parts.length === 0 ? [] : [`  parts: ${parts.map((part) => part.id).join(', ')}`]),
      `  ${GRAPH_PATH}:${places.map(({ line }) => line).join(', ')}`,
    ].join('\n'),
  };
}

export function nodeJson(node: ArchitectureNode) {
  return {
    id: node.id,
    declared: node.declared,
    attributes: Object.fromEntries(
      [...node.attributes.keys()].flatMap((name) => {
        const value = attributeOf(node, name);
        return value === undefined ? [] : [[name, value]];
      }),
    ),
  };
}

export function edgeJson(edge: ArchitectureEdge) {
  const note = attributeOf(edge, 'note');
  return {
    from: edge.from,
    to: edge.to,
    relation: attributeOf(edge, 'relation') ?? null,
    ...(note ? { note } : {}),
  };
}

/** A node in one line: id, status and description. */
export function nodeLine(node: ArchitectureNode): string {
  const status = attributeOf(node, 'status');
  const marks = [
    ...(status !== undefined && status !== 'current' ? [status] : []),
    ...(attributeOf(node, 'priority') !== undefined ? [attributeOf(node, 'priority')] : []),
  ];
  return `${node.id}${marks.length > 0 ? ` [${marks.join(', ')}]` : ''} ${attributeOf(node, 'description') ?? ''}`;
}

function relationOf(edge: ArchitectureEdge): string {
  return attributeOf(edge, 'relation') ?? '(no relation)';
}

function noteOf(edge: ArchitectureEdge): string {
  const note = attributeOf(edge, 'note');
  return note === undefined ? '' : ` (${oneLine(note, 80)})`;
}
