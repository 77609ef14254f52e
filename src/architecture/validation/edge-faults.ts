import { didYouMean } from '../../domain/nearest-word.ts';
import { type ArchitectureEdge, attributeOf } from '../graph/architecture-graph.ts';
import type { KnowledgeSchema } from '../schema/knowledge-schema.ts';
import { nearestValue } from '../schema/nearest-value.ts';
import { type Judged, type Report, shown } from './graph-fault.ts';

/** What is wrong with single edges: their ends and their relations. */
export function edgeFaults({ graph, schema, nearest, report, isFull }: Judged): void {
  for (const edge of graph.edges) {
    if (isFull()) return;
    const at = edge.places[0]?.statement.start ?? 0;
    const named = namedEdge(edge);
    for (const id of new Set([edge.from, edge.to])) {
      if (graph.nodes.get(id)?.declared) continue;
      const meant = nearest.of(id);
      report(at, {
        code: 'edge.end',
        severity: 'fault',
        edge: named,
        field: id === edge.from ? 'from' : 'to',
        found: id,
        ...(meant === undefined ? {} : { nearest: meant }),
        message: `${describeEdge(edge)}: there is no node "${shown(id)}"${didYouMean(meant, '; ')}`,
      });
    }
    relationFault(edge, schema, report);
  }
}

function relationFault(edge: ArchitectureEdge, schema: KnowledgeSchema, report: Report): void {
  const { relations } = schema;
  const found = attributeOf(edge, 'relation');
  if (found !== undefined && relations.includes(found)) return;
  const base = { severity: 'fault', edge: namedEdge(edge), field: 'relation' } as const;
  if (found === undefined) {
    const message = `${describeEdge(edge)} has no relation: one of ${relations.join(', ')}`;
    report(edge.places[0]?.statement.start ?? 0, { ...base, code: 'edge.missing', message });
    return;
  }
  const nearest = nearestValue(schema, 'relation', found);
  report(edge.attributes.get('relation')?.attribute.value.start ?? 0, {
    ...base,
    code: 'edge.value',
    found,
    ...(nearest === undefined ? {} : { nearest }),
    message: `${describeEdge(edge)}: relation "${shown(found)}" is none of ${relations.join(', ')}${didYouMean(nearest, '; ')}`,
  });
}

export function namedEdge(edge: ArchitectureEdge): { from: string; to: string; relation?: string } {
  const relation = attributeOf(edge, 'relation');
  return { from: edge.from, to: edge.to, ...(relation === undefined ? {} : { relation }) };
}

export function describeEdge({ from, to }: Pick<ArchitectureEdge, 'from' | 'to'>): string {
  return `edge ${shown(from)} -> ${shown(to)}`;
}
