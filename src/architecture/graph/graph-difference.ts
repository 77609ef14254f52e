import type {
  ArchitectureEdge,
  ArchitectureGraph,
  ArchitectureNode,
  Attributes,
} from './architecture-graph.ts';

/** A field before and after; undefined if absent. */
export interface FieldChange {
  before: string | undefined;
  after: string | undefined;
}

export interface NodeChange {
  id: string;
  declared: { before: boolean; after: boolean };
  fields: Map<string, FieldChange>;
  /** Whether its named subgraphs changed. */
  moved: boolean;
}

/** Differences in content between two graphs, regardless of layout and order in the file. */
export interface GraphDifference {
  added: ArchitectureNode[];
  removed: ArchitectureNode[];
  changed: NodeChange[];
  addedEdges: ArchitectureEdge[];
  removedEdges: ArchitectureEdge[];
}

/** `renamed` maps ids of the first graph to ids of the second. */
export function graphDifference(
  before: ArchitectureGraph,
  after: ArchitectureGraph,
  renamed: ReadonlyMap<string, string> = new Map(),
): GraphDifference {
  const renamedId = (id: string) => renamed.get(id) ?? id;
  const difference: GraphDifference = {
    added: [],
    removed: [],
    changed: [],
    ...edgeDifference(before.edges, after.edges, renamedId),
  };
  const met = new Set<string>();
  for (const node of before.nodes.values()) {
    const id = renamedId(node.id);
    const now = after.nodes.get(id);
    met.add(id);
    if (!now) difference.removed.push(node);
    else {
      const change = nodeChange(node, now);
      if (change) difference.changed.push(change);
    }
  }
  for (const node of after.nodes.values()) if (!met.has(node.id)) difference.added.push(node);
  return difference;
}

function nodeChange(before: ArchitectureNode, after: ArchitectureNode): NodeChange | undefined {
  const fields = fieldChanges(before.attributes, after.attributes);
  const moved =
    before.subgraphs.size !== after.subgraphs.size ||
    [...before.subgraphs].some((path) => !after.subgraphs.has(path));
  if (fields.size === 0 && !moved && before.declared === after.declared) return undefined;
  return { id: after.id, declared: { before: before.declared, after: after.declared }, fields, moved };
}

function fieldChanges(before: Attributes, after: Attributes): Map<string, FieldChange> {
  const changes = new Map<string, FieldChange>();
  const compare = (name: string) => {
    const was = before.get(name)?.attribute.value.value || undefined;
    const is = after.get(name)?.attribute.value.value || undefined;
    if (was !== is) changes.set(name, { before: was, after: is });
  };
  for (const name of before.keys()) compare(name);
  for (const name of after.keys()) if (!before.has(name)) compare(name);
  return changes;
}

function edgeDifference(
  before: readonly ArchitectureEdge[],
  after: readonly ArchitectureEdge[],
  renamedId: (id: string) => string,
): Pick<GraphDifference, 'addedEdges' | 'removedEdges'> {
  const left = new Map<string, ArchitectureEdge[]>();
  for (const edge of before) {
    const key = edgeText(edge, renamedId);
    const same = left.get(key);
    if (same) same.push(edge);
    else left.set(key, [edge]);
  }
  const addedEdges = after.filter((edge) => left.get(edgeText(edge))?.pop() === undefined);
  return { addedEdges, removedEdges: [...left.values()].flat() };
}

/** The same text for equal edges. Each part has its length in front, so that no part can look like two. */
function edgeText({ from, to, attributes }: ArchitectureEdge, renamedId = (id: string) => id): string {
  let text = part(renamedId(from)) + part(renamedId(to));
  const names = attributes.size > 1 ? [...attributes.keys()].sort() : attributes.keys();
  for (const name of names) {
    const value = attributes.get(name)?.attribute.value.value;
    if (value) text += part(name) + part(value);
  }
  return text;
}

function part(text: string): string {
  return `${text.length}:${text}`;
}
