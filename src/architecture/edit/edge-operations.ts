import type { EdgeStatement } from '../dot/dot-syntax.ts';
import { type ArchitectureEdge, type ArchitectureGraph, attributeOf } from '../graph/architecture-graph.ts';
import { type DroppedLink, dropParts } from './drop-parts.ts';
import { fileStyle } from './file-style.ts';
import type { Operation, PlannedEdit } from './operation.ts';
import { findNode, refusal } from './operation.ts';
import { applyPatches, edgeAnchor, insertStatement, writeEdgeStatement } from './statement-edits.ts';

type AddEdge = Extract<Operation, { operation: 'add_edge' }>;
type RemoveEdge = Extract<Operation, { operation: 'remove_edge' }>;

export function planAddEdge(graph: ArchitectureGraph, { from, to, fields }: AddEdge): PlannedEdit {
  const relation = fields.get('relation');
  for (const id of [from, to]) {
    const found = findNode(
      graph,
      id,
      'Add the node first with add_node; one call can do both with `operations`.',
    );
    if (!found.ok) return found;
    if (!found.node.declared) {
      const message = `Node "${id}" is only named by edges; it has no statement.`;
      return refusal('node.undeclared', message, 'Add it with add_node first.');
    }
  }
  const same = edgesBetween(graph, from, to).find((edge) => attributeOf(edge, 'relation') === relation);
  if (same) {
    const hint =
      'Do not add it again. To change its note, use remove_edge and add_edge in one call with `operations`.';
    return refusal('edge.exists', `The edge ${from} ${relation} ${to} already exists.`, hint);
  }
  if (graph.tree.strict && edgesBetween(graph, from, to).length > 0) {
    const message = `The graph is strict and already has an edge from ${from} to ${to}.`;
    return refusal('edge.strict', message, 'Remove the word `strict` from the file to allow several.');
  }
  const { text, tree } = graph;
  const style = fileStyle(graph);
  const written = writeEdgeStatement(from, to, fields, style);
  return {
    ok: true,
    summary: `added edge ${from} ${relation} ${to}`,
    attempts: [
      () => applyPatches(text, [insertStatement(text, tree.body, edgeAnchor(tree), written, style)]),
      () =>
        applyPatches(text, [insertStatement(text, tree.body, tree.body.statements.at(-1), written, style)]),
    ],
    isExpected: ({ added, removed, changed, addedEdges, removedEdges }) => {
      const [edge] = addedEdges;
      return (
        added.length + removed.length + changed.length + removedEdges.length === 0 &&
        addedEdges.length === 1 &&
        edge?.from === from &&
        edge.to === to &&
        [...fields].every(([name, value]) => attributeOf(edge, name) === value)
      );
    },
  };
}

export function planRemoveEdge(graph: ArchitectureGraph, { from, to, relation }: RemoveEdge): PlannedEdit {
  const between = edgesBetween(graph, from, to);
  const edges =
    relation === undefined ? between : between.filter((edge) => attributeOf(edge, 'relation') === relation);
  if (edges.length === 0) return noEdge(graph, { from, to, relation }, between);
  const relations = new Set(edges.map((edge) => attributeOf(edge, 'relation') ?? '(none)'));
  if (relations.size > 1) {
    const message = `Several edges lead from ${from} to ${to}: ${[...relations].join(', ')}.`;
    return refusal(
      'edge.ambiguous',
      message,
      'Choose one with `relation`; one call can remove several with `operations`.',
    );
  }
  const chosen = new Set(edges);
  const drop = (keepNamed: (id: string) => boolean) => () => {
    const style = fileStyle(graph);
    return applyPatches(
      graph.text,
      dropParts(graph, { edges: droppedLinks(graph, chosen) }, { style, keepNamed }),
    );
  };
  return {
    ok: true,
    summary: `removed edge ${from} ${[...relations][0]} ${to}`,
    attempts: [drop(() => false), drop((id) => graph.nodes.get(id)?.declared ?? false)],
    isExpected: ({ added, removed, changed, addedEdges, removedEdges }) =>
      added.length + changed.length + addedEdges.length === 0 &&
      // Nodes that only this edge named disappear with it.
      removed.every(({ declared }) => !declared) &&
      removedEdges.length === edges.length &&
      removedEdges.every((edge) => chosen.has(edge) || isLike(edge, edges)),
  };
}

function isLike({ from, to, attributes }: ArchitectureEdge, [first]: readonly ArchitectureEdge[]): boolean {
  return (
    first?.from === from &&
    first.to === to &&
    attributeOf(first, 'relation') === attributeOf({ attributes }, 'relation')
  );
}

function noEdge(
  graph: ArchitectureGraph,
  { from, to, relation }: Omit<RemoveEdge, 'operation'>,
  between: readonly ArchitectureEdge[],
): PlannedEdit {
  for (const id of [from, to]) {
    const found = findNode(graph, id, 'Nothing to remove.');
    if (!found.ok) return found;
  }
  const there = between.map((edge) => attributeOf(edge, 'relation') ?? '(none)');
  const turned = edgesBetween(graph, to, from).map((edge) => attributeOf(edge, 'relation') ?? '(none)');
  const hint =
    there.length > 0
      ? `Relations from ${from} to ${to}: ${there.join(', ')}.`
      : turned.length > 0
        ? `An edge exists in the other direction, from ${to} to ${from}: ${turned.join(', ')}.`
        : 'Nothing to remove.';
  const what = relation === undefined ? '' : ` with relation ${relation}`;
  return refusal('edge.unknown', `There is no edge from ${from} to ${to}${what}.`, hint);
}

function edgesBetween({ edges }: ArchitectureGraph, from: string, to: string): ArchitectureEdge[] {
  return edges.filter((edge) => edge.from === from && edge.to === to);
}

/** For each link that produces one of the edges, the other edges it produces. */
function droppedLinks(
  { edges }: ArchitectureGraph,
  chosen: ReadonlySet<ArchitectureEdge>,
): Map<EdgeStatement, Map<number, DroppedLink>> {
  const dropped = new Map<EdgeStatement, Map<number, { survivors: { from: string; to: string }[] }>>();
  for (const edge of chosen) {
    for (const { statement, link } of edge.places) {
      const links = dropped.get(statement) ?? new Map();
      dropped.set(statement, links.set(link, { survivors: [] }));
    }
  }
  for (const edge of edges) {
    if (chosen.has(edge)) continue;
    for (const { statement, link } of edge.places) {
      dropped.get(statement)?.get(link)?.survivors.push({ from: edge.from, to: edge.to });
    }
  }
  return dropped;
}
