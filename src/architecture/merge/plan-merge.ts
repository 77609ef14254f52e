import type { Operation } from '../edit/operation.ts';
import type { FieldValues } from '../edit/statement-edits.ts';
import {
  type ArchitectureEdge,
  type ArchitectureGraph,
  type Attributes,
  attributeOf,
} from '../graph/architecture-graph.ts';

/** A node or edge that both sides changed differently. */
export interface MergeConflict {
  node?: string;
  edge?: { from: string; to: string; relation: string };
  why: string;
}

export interface MergePlan {
  /** Applied to our side, these give the merged graph. */
  operations: Operation[];
  conflicts: MergeConflict[];
}

/** Their changes since the base, as operations on our side; compared by node and edge, not by line. */
export function planMerge(
  base: ArchitectureGraph,
  ours: ArchitectureGraph,
  theirs: ArchitectureGraph,
): MergePlan {
  const plan: MergePlan = { operations: [], conflicts: [] };
  const removed = mergeNodes(base, ours, theirs, plan);
  mergeEdges(base, ours, theirs, plan, removed);
  // Edges are removed first and added last, while their nodes exist.
  const rank = { remove_edge: 0, remove_node: 1, add_node: 2, update_node: 3, rename_node: 3, add_edge: 4 };
  plan.operations.sort((a, b) => rank[a.operation] - rank[b.operation]);
  return plan;
}

function mergeNodes(
  base: ArchitectureGraph,
  ours: ArchitectureGraph,
  theirs: ArchitectureGraph,
  plan: MergePlan,
): Set<string> {
  const removed = new Set<string>();
  const ids = new Set([...base.nodes.keys(), ...theirs.nodes.keys()]);
  for (const id of ids) {
    const [was, mine, other] = [base, ours, theirs].map((graph) => fieldsOf(graph, id));
    if (isSame(was, other) || isSame(mine, other)) continue;
    if (!other) {
      if (!mine) continue;
      if (!isSame(was, mine)) plan.conflicts.push({ node: id, why: 'changed by us, removed by them' });
      else {
        plan.operations.push({ operation: 'remove_node', name: id });
        removed.add(id);
      }
    } else if (!mine) {
      if (was) plan.conflicts.push({ node: id, why: 'removed by us, changed by them' });
      else plan.operations.push({ operation: 'add_node', name: id, fields: other });
    } else mergeFields(id, was ?? new Map(), mine, other, plan);
  }
  return removed;
}

function mergeFields(
  id: string,
  was: FieldValues,
  mine: FieldValues,
  other: FieldValues,
  plan: MergePlan,
): void {
  const fields = new Map<string, string>();
  const unset: string[] = [];
  for (const name of new Set([...was.keys(), ...other.keys()])) {
    const [before, now, theirs] = [was.get(name), mine.get(name), other.get(name)];
    if (theirs === before || theirs === now) continue;
    if (now !== before) {
      plan.conflicts.push({ node: id, why: `both changed its ${name} differently` });
      return;
    }
    if (theirs === undefined) unset.push(name);
    else fields.set(name, theirs);
  }
  if (fields.size + unset.length > 0)
    plan.operations.push({ operation: 'update_node', name: id, fields, unset });
}

function mergeEdges(
  base: ArchitectureGraph,
  ours: ArchitectureGraph,
  theirs: ArchitectureGraph,
  plan: MergePlan,
  removed: ReadonlySet<string>,
): void {
  const [was, mine, other] = [base, ours, theirs].map(edgesByKey);
  for (const [key, edge] of new Map([...(was ?? []), ...(other ?? [])])) {
    const [before, now, then] = [was, mine, other].map((edges) => edges?.get(key)?.fields);
    if (isSame(before, then) || isSame(now, then)) continue;
    const { from, to, relation } = edge;
    const named = { edge: { from, to, relation } };
    if (!isSame(before, now)) {
      plan.conflicts.push({ ...named, why: 'both changed the edge differently' });
      continue;
    }
    const isGone = removed.has(from) || removed.has(to);
    if (now && !isGone)
      plan.operations.push({ operation: 'remove_edge', from, to, relation: relation || undefined });
    if (!then) continue;
    const lost = [from, to].find((id) => base.nodes.has(id) && !ours.nodes.has(id));
    if (lost === undefined) plan.operations.push({ operation: 'add_edge', from, to, fields: then });
    else plan.conflicts.push({ ...named, why: `they added it, we removed ${lost}` });
  }
  for (const [key, { from, to, relation }] of mine ?? []) {
    const lost = [from, to].find((id) => removed.has(id));
    if (lost !== undefined && !was?.has(key)) {
      plan.conflicts.push({ edge: { from, to, relation }, why: `we added it, they removed ${lost}` });
    }
  }
}

interface KeyedEdge {
  from: string;
  to: string;
  relation: string;
  fields: FieldValues;
}

function edgesByKey({ edges }: ArchitectureGraph): Map<string, KeyedEdge> {
  return new Map(
    edges.map((edge: ArchitectureEdge) => {
      const { from, to } = edge;
      const relation = attributeOf(edge, 'relation') ?? '';
      return [
        JSON.stringify([from, to, relation]),
        { from, to, relation, fields: valuesOf(edge.attributes) },
      ];
    }),
  );
}

function fieldsOf({ nodes }: ArchitectureGraph, id: string): FieldValues | undefined {
  const node = nodes.get(id);
  return node?.declared ? valuesOf(node.attributes) : undefined;
}

function valuesOf(attributes: Attributes): FieldValues {
  return new Map(
    [...attributes].flatMap(([name, { attribute }]) => {
      const { value } = attribute.value;
      return value === '' ? [] : [[name, value] as const];
    }),
  );
}

function isSame(a: FieldValues | undefined, b: FieldValues | undefined): boolean {
  if (!a || !b) return a === b;
  return a.size === b.size && [...a].every(([name, value]) => b.get(name) === value);
}
