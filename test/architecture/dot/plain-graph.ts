import type { ArchitectureGraph, Attributes } from '../../../src/architecture/graph/architecture-graph.ts';
import type { PlainGraph } from './graphviz.ts';

/** Our graph as the same plain values as Graphviz's. */
export function plainGraph({ nodes, edges }: ArchitectureGraph): PlainGraph {
  const members = new Map<string, Set<string>>();
  for (const node of nodes.values()) {
    for (const path of node.subgraphs) members.set(path, (members.get(path) ?? new Set()).add(node.id));
  }
  return {
    nodes: Object.fromEntries(
      [...nodes.values()].map((node) => [plainName(node.id), plainAttributes(node.attributes)]),
    ),
    edges: edges.map(({ from, to, attributes }) => ({
      from: plainName(from),
      to: plainName(to),
      attributes: plainAttributes(attributes),
    })),
    members: [...members].map(([path, ids]) => [path.split('/').at(-1) ?? '', ...[...ids].sort()]),
  };
}

/** Graphviz shows an HTML name without its brackets. */
function plainName(id: string): string {
  return /^<.*>$/s.test(id) ? id.slice(1, -1) : id;
}

function plainAttributes(attributes: Attributes): Record<string, string> {
  const entries = [...attributes].map(([name, { attribute }]) => [name, attribute.value.value] as const);
  // Graphviz changes labels and keys in its output.
  return Object.fromEntries(
    entries.filter(([name, value]) => value !== '' && name !== 'label' && name !== 'key').sort(),
  );
}

/** Independent of the order of statements. */
export function comparable({ nodes, edges, members }: PlainGraph) {
  const sorted = (record: Record<string, unknown>) =>
    Object.entries(record).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return {
    nodes: sorted(nodes),
    edges: edges.map((edge) => JSON.stringify(edge)).sort(),
    members: sorted(Object.fromEntries(byName(members))),
  };
}

/** Merges subgraphs of the same name in different places. */
function byName(members: readonly string[][]): Map<string, string[]> {
  const found = new Map<string, Set<string>>();
  for (const [name = '', ...ids] of members) {
    if (ids.length > 0) found.set(name, new Set([...(found.get(name) ?? []), ...ids]));
  }
  return new Map([...found].map(([name, ids]) => [name, [...ids].sort()]));
}
