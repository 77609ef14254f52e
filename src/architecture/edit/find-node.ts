import { didYouMean } from '../../domain/nearest-word.ts';
import type { ArchitectureGraph, ArchitectureNode } from '../graph/architecture-graph.ts';
import { NearestIds } from '../validation/nearest-ids.ts';
import { type Refusal, refusal } from './operation.ts';

/** A node of the graph, one that edges name included; or why there is none, with what was probably meant. */
export function findNode(
  graph: ArchitectureGraph,
  id: string,
  otherwise: string,
): { ok: true; node: ArchitectureNode } | Refusal {
  const node = graph.nodes.get(id);
  if (node) return { ok: true, node };
  const nearest = new NearestIds(graph).of(id);
  const hint = `${otherwise}${didYouMean(nearest)}`;
  return refusal('node.unknown', `There is no node "${id}" in the graph.`, hint);
}
