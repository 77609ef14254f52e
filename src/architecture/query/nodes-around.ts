import type { ArchitectureGraph } from '../graph/architecture-graph.ts';

/** These nodes, and all that are at most this many edges away. */
export function nodesAround(graph: ArchitectureGraph, around: readonly string[], depth: number): Set<string> {
  const near = new Set(around);
  for (let step = 0; step < depth; step++) {
    const border = graph.edges.filter(({ from, to }) => near.has(from) !== near.has(to));
    if (border.length === 0) break;
    for (const { from, to } of border) near.add(from).add(to);
  }
  return near;
}
