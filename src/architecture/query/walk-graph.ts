import { type ArchitectureEdge, type ArchitectureGraph, attributeOf } from '../graph/architecture-graph.ts';

export interface PathStep {
  edge: ArchitectureEdge;
  /** The path follows the edge against its direction. */
  backwards: boolean;
}

export interface PathOptions {
  relation?: string | undefined;
  /** Follow edges only in their direction. */
  directed?: boolean | undefined;
}

/** A shortest path between two nodes; undefined if there is none. */
export function findPath(
  graph: ArchitectureGraph,
  from: string,
  to: string,
  { relation, directed = false }: PathOptions = {},
): PathStep[] | undefined {
  const steps = new Map<string, PathStep[]>();
  const add = (id: string, step: PathStep) => {
    const known = steps.get(id);
    if (known) known.push(step);
    else steps.set(id, [step]);
  };
  for (const edge of graph.edges) {
    if (relation !== undefined && attributeOf(edge, 'relation') !== relation) continue;
    add(edge.from, { edge, backwards: false });
    if (!directed) add(edge.to, { edge, backwards: true });
  }
  const cameBy = new Map<string, PathStep | undefined>([[from, undefined]]);
  const waiting = [from];
  for (let index = 0; index < waiting.length && !cameBy.has(to); index++) {
    for (const step of steps.get(waiting[index] ?? '') ?? []) {
      const next = step.backwards ? step.edge.from : step.edge.to;
      if (cameBy.has(next)) continue;
      cameBy.set(next, step);
      waiting.push(next);
    }
  }
  if (!cameBy.has(to)) return undefined;
  const path: PathStep[] = [];
  for (let step = cameBy.get(to); step; step = cameBy.get(step.backwards ? step.edge.to : step.edge.from)) {
    path.push(step);
  }
  return path.reverse();
}

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
