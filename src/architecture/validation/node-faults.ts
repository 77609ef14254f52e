import { didYouMean } from '../../domain/nearest-word.ts';
import { type ArchitectureNode, attributeOf } from '../graph/architecture-graph.ts';
import { isKebabCase, legalValues, REQUIRED_FIELDS, toKebabCase } from '../schema/knowledge-schema.ts';
import { nearestValue } from '../schema/nearest-value.ts';
import { type Judged, shown } from './graph-fault.ts';

const ENUM_FIELDS = ['type', 'level', 'status', 'priority', 'tag'] as const;

/** What is wrong with one node. One that only edges name is theirs to answer for. */
export function nodeFaults(node: ArchitectureNode, { graph, schema, facts, nearest, report }: Judged): void {
  if (!node.declared) return;
  const own = node.mentions.find(({ statement }) => statement.type === 'nodes') ?? node.mentions[0];
  const at = own?.reference.start ?? 0;
  const where = (field: string) => node.attributes.get(field)?.attribute.value.start ?? at;
  const base = { node: node.id } as const;

  for (const field of requiredFields(node)) {
    if (attributeOf(node, field) !== undefined) continue;
    const legal = legalValues(schema, field);
    const hint = legal ? `one of ${legal.join(', ')}` : 'a text that explains it';
    const why = field === 'priority' ? ', which a rule needs' : '';
    const message = `node ${shown(node.id)} has no ${field}${why}: ${hint}`;
    report(at, { ...base, code: 'node.missing', severity: 'fault', field, message });
  }
  for (const field of ENUM_FIELDS) {
    const found = attributeOf(node, field);
    const legal = legalValues(schema, field);
    if (found === undefined || !legal || legal.includes(found)) continue;
    const meant = nearestValue(schema, field, found);
    const message = `node ${shown(node.id)}: ${field} "${shown(found)}" is none of ${legal.join(', ')}${didYouMean(meant, '; ')}`;
    const values = { field, found, ...(meant === undefined ? {} : { nearest: meant }) };
    report(where(field), { ...base, ...values, code: 'node.value', severity: 'fault', message });
  }
  if (facts.oldIds && !facts.oldIds.has(node.id) && !isKebabCase(node.id)) {
    const kebab = toKebabCase(node.id);
    const message = `new node "${shown(node.id)}": an id is in kebab-case${kebab ? `, such as ${kebab}` : ''}`;
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
      message: `node ${shown(node.id)}: its component "${shown(component)}" is no node of this graph${didYouMean(meant, '; ')}`,
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
