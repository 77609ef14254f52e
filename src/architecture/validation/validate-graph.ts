import { didYouMean } from '../../domain/nearest-word.ts';
import { LineIndex } from '../dot/dot-fault.ts';
import {
  type ArchitectureEdge,
  type ArchitectureGraph,
  type ArchitectureNode,
  attributeOf,
} from '../graph/architecture-graph.ts';
import {
  isKebabCase,
  type KnowledgeSchema,
  legalValues,
  nearestValue,
  REQUIRED_FIELDS,
  toKebabCase,
} from '../schema/knowledge-schema.ts';
import {
  describeEdge,
  type GraphFault,
  NearestIds,
  namedEdge,
  type Report,
  shown,
  type ValidationContext,
  type ValidationFacts,
} from './graph-fault.ts';
import { structureWarnings } from './structure-warnings.ts';

/** More than a person reads; limits the memory that a hostile file can use. */
const MAX_FAULTS = 20_000;
const TOO_MANY = {
  code: 'graph.too-many-faults',
  severity: 'fault',
  message: `more than ${MAX_FAULTS} faults and warnings; these are the first`,
} as const;

export interface Validation {
  faults: GraphFault[];
  warnings: GraphFault[];
}

/** All faults and warnings of a graph, in the order of the file. */
export function validateGraph(
  graph: ArchitectureGraph,
  schema: KnowledgeSchema,
  facts: ValidationFacts = {},
): Validation {
  const reported: { offset: number; fault: Omit<GraphFault, 'line' | 'column'> }[] = [];
  const report: Report = (offset, fault) => {
    if (reported.length < MAX_FAULTS) reported.push({ offset, fault });
    else if (reported.length === MAX_FAULTS) reported.push({ offset, fault: TOO_MANY });
  };
  const nearest = new NearestIds(graph);
  const context = { graph, schema, facts, nearest, report, isFull: () => reported.length > MAX_FAULTS };
  for (const node of graph.nodes.values()) {
    if (context.isFull()) break;
    nodeFaults(node, context);
  }
  edgeFaults(context);
  structureWarnings(graph, report);
  const lines = new LineIndex(graph.text);
  const all = reported
    .sort((a, b) => a.offset - b.offset)
    .map(({ offset, fault }): GraphFault => ({ ...fault, ...lines.placeOf(offset) }));
  return {
    faults: all.filter(({ severity }) => severity === 'fault'),
    warnings: all.filter(({ severity }) => severity === 'warning'),
  };
}

const ENUM_FIELDS = ['type', 'level', 'status', 'priority', 'tag'] as const;

/** Reports the faults of a node. A node that only edges name is reported with the edges. */
function nodeFaults(
  node: ArchitectureNode,
  { graph, schema, facts, nearest, report }: ValidationContext,
): void {
  if (!node.declared) return;
  const own = node.mentions.find(({ statement }) => statement.type === 'nodes') ?? node.mentions[0];
  const at = own?.reference.start ?? 0;
  const where = (field: string) => node.attributes.get(field)?.attribute.value.start ?? at;
  const base = { node: node.id } as const;

  for (const field of requiredFields(node)) {
    if (attributeOf(node, field) !== undefined) continue;
    const legal = legalValues(schema, field);
    const hint = legal ? `use one of ${legal.join(', ')}` : 'add text that explains it';
    const what = field === 'priority' ? 'rule' : 'node';
    const message = `${what} ${shown(node.id)} has no ${field}: ${hint}`;
    report(at, { ...base, code: 'node.missing', severity: 'fault', field, message });
  }
  for (const field of ENUM_FIELDS) {
    const found = attributeOf(node, field);
    const legal = legalValues(schema, field);
    if (found === undefined || !legal || legal.includes(found)) continue;
    const meant = nearestValue(schema, field, found);
    const message = `node ${shown(node.id)}: ${field} "${shown(found)}" is not one of ${legal.join(', ')}${didYouMean(meant, '(')}`;
    const values = { field, found, ...(meant === undefined ? {} : { nearest: meant }) };
    report(where(field), { ...base, ...values, code: 'node.value', severity: 'fault', message });
  }
  if (facts.oldIds && !facts.oldIds.has(node.id) && !isKebabCase(node.id)) {
    const kebab = toKebabCase(node.id);
    const message = `new node "${shown(node.id)}": the id must be kebab-case${kebab ? `, such as ${kebab}` : ''}`;
    const found = node.id;
    report(at, {
      ...base,
      found,
      code: 'node.id',
      severity: 'fault',
      message,
      ...(kebab ? { nearest: kebab } : {}),
    });
  }
  const component = attributeOf(node, 'component');
  if (component !== undefined && !graph.nodes.get(component)?.declared) {
    const meant = nearest.of(component);
    report(where('component'), {
      ...base,
      code: 'node.component',
      severity: 'warning',
      field: 'component',
      found: component,
      ...(meant === undefined ? {} : { nearest: meant }),
      message: `node ${shown(node.id)}: its component "${shown(component)}" is not a node${didYouMean(meant, '(')}`,
    });
  }
  const path = attributeOf(node, 'path');
  if (path !== undefined && facts.missingPaths?.has(path)) {
    const message = `node ${shown(node.id)}: its path "${shown(path)}" does not exist in the repository`;
    const code = 'node.path';
    report(where('path'), { ...base, code, severity: 'warning', field: 'path', found: path, message });
  }
}

function requiredFields(node: ArchitectureNode): readonly string[] {
  return attributeOf(node, 'type') === 'rule' ? [...REQUIRED_FIELDS, 'priority'] : REQUIRED_FIELDS;
}

/** Reports edges with unknown ends or relations. */
function edgeFaults({ graph, schema, nearest, report, isFull }: ValidationContext): void {
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
        message: `${describeEdge(edge)}: unknown node "${shown(id)}"${didYouMean(meant, '(')}`,
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
    const message = `${describeEdge(edge)} has no relation: use one of ${relations.join(', ')}`;
    report(edge.places[0]?.statement.start ?? 0, { ...base, code: 'edge.missing', message });
    return;
  }
  const nearest = nearestValue(schema, 'relation', found);
  report(edge.attributes.get('relation')?.attribute.value.start ?? 0, {
    ...base,
    code: 'edge.value',
    found,
    ...(nearest === undefined ? {} : { nearest }),
    message: `${describeEdge(edge)}: relation "${shown(found)}" is not one of ${relations.join(', ')}${didYouMean(nearest, '(')}`,
  });
}
