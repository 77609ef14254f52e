import { type ArchitectureEdge, type ArchitectureGraph, attributeOf } from '../graph/architecture-graph.ts';
import { describeEdge, namedEdge, type Report } from './graph-fault.ts';

/** Warns about legal but probably unintended content. */
export function structureWarnings(graph: ArchitectureGraph, report: Report): void {
  if (!graph.tree.directed) {
    const message = 'the graph is undirected, so its relations have no direction; make it a digraph';
    report(0, { code: 'graph.undirected', severity: 'warning', message });
  }
  const seen = new Map<string, ArchitectureEdge>();
  for (const edge of graph.edges) {
    const relation = attributeOf(edge, 'relation') ?? '';
    const at = edge.places[0]?.statement.start ?? 0;
    const warn = (code: string, message: string) =>
      report(at, { code, severity: 'warning', edge: namedEdge(edge), message });
    if (edge.from === edge.to) warn('edge.self', `${describeEdge(edge)}: leads from a node to itself`);
    const key = edgeKey(edge.from, edge.to, relation);
    if (seen.has(key))
      warn('edge.duplicate', `${describeEdge(edge)}: duplicate${relation && ` ${relation}`}`);
    seen.set(key, edge);
    if (relation === 'must_follow' && isOtherThanRule(graph, edge.to)) {
      const type = typeOf(graph, edge.to);
      warn('edge.must-follow', `${describeEdge(edge)}: must_follow leads to a ${type} instead of a rule`);
    }
  }
  for (const edge of seen.values()) {
    if (attributeOf(edge, 'relation') !== 'superseded_by') continue;
    if (seen.has(edgeKey(edge.to, edge.from, 'supersedes'))) {
      report(edge.places[0]?.statement.start ?? 0, {
        code: 'edge.inverse',
        severity: 'warning',
        edge: namedEdge(edge),
        message: `${describeEdge(edge)}: superseded_by repeats the supersedes edge in the other direction; remove one`,
      });
    }
  }
  supersededWarnings(graph, report);
}

/** Warns about superseded nodes that are still current, and about cycles; reads supersedes and superseded_by alike. */
function supersededWarnings(graph: ArchitectureGraph, report: Report): void {
  const supersedes = new Map<string, string[]>();
  const add = (winner: string, loser: string) => {
    const losers = supersedes.get(winner);
    if (losers) losers.push(loser);
    else supersedes.set(winner, [loser]);
  };
  const reported = new Set<string>();
  for (const edge of graph.edges) {
    const relation = attributeOf(edge, 'relation');
    const [winner, loser] =
      relation === 'supersedes'
        ? [edge.from, edge.to]
        : relation === 'superseded_by'
          ? [edge.to, edge.from]
          : [undefined, undefined];
    if (winner === undefined || loser === undefined) continue;
    if (winner !== loser) add(winner, loser);
    const node = graph.nodes.get(loser);
    if (!node || reported.has(loser) || attributeOf(node, 'status') !== 'current') continue;
    reported.add(loser);
    report(node.attributes.get('status')?.attribute.value.start ?? 0, {
      code: 'node.superseded',
      severity: 'warning',
      node: loser,
      field: 'status',
      found: 'current',
      message: `node ${loser} is current although ${winner} supersedes it; use deprecated or legacy`,
    });
  }
  for (const cycle of supersedesCycles(supersedes)) {
    const [first = ''] = cycle;
    report(graph.nodes.get(first)?.mentions[0]?.reference.start ?? 0, {
      code: 'edge.cycle',
      severity: 'warning',
      node: first,
      found: cycle.join(' → '),
      message: `nodes supersede each other in a cycle: ${[...cycle, first].slice(0, 12).join(' → ')}`,
    });
  }
}

function edgeKey(from: string, to: string, relation: string): string {
  return JSON.stringify([from, to, relation]);
}

function typeOf({ nodes }: ArchitectureGraph, id: string): string | undefined {
  const node = nodes.get(id);
  return node && attributeOf(node, 'type');
}

function isOtherThanRule(graph: ArchitectureGraph, id: string): boolean {
  const type = typeOf(graph, id);
  return type !== undefined && type !== 'rule';
}

/**
 * Groups of nodes that reach each other, each sorted. Tarjan's algorithm with an explicit stack, since a chain of thousands
 * would exhaust the call stack.
 */
function supersedesCycles(next: ReadonlyMap<string, readonly string[]>): string[][] {
  const cycles: string[][] = [];
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open = new Set<string>();
  const path: string[] = [];

  for (const root of next.keys()) {
    if (order.has(root)) continue;
    const stack: { id: string; targets: Iterator<string> }[] = [];
    const enter = (id: string) => {
      order.set(id, order.size);
      lowest.set(id, order.size - 1);
      path.push(id);
      open.add(id);
      stack.push({ id, targets: (next.get(id) ?? [])[Symbol.iterator]() });
    };
    enter(root);
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const { done, value: target } = top.targets.next();
      if (!done) {
        if (!order.has(target)) enter(target);
        else if (open.has(target)) lower(top.id, order.get(target) ?? 0);
        continue;
      }
      stack.pop();
      const above = stack.at(-1);
      if (above) lower(above.id, lowest.get(top.id) ?? 0);
      if (lowest.get(top.id) === order.get(top.id)) close(top.id);
    }
  }
  return cycles;

  function lower(id: string, value: number): void {
    lowest.set(id, Math.min(lowest.get(id) ?? value, value));
  }

  function close(id: string): void {
    const group = path.splice(path.lastIndexOf(id));
    for (const member of group) open.delete(member);
    if (group.length > 1) cycles.push(group.sort());
  }
}
