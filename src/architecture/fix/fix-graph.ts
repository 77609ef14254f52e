import { nearestWord } from '../../domain/nearest-word.ts';
import { type Atom, nameOf, type Statement, writeAtom } from '../dot/dot-syntax.ts';
import { fileStyle } from '../edit/file-style.ts';
import { applyPatches, removeStatement, type TextPatch } from '../edit/statement-edits.ts';
import { type ArchitectureGraph, type AttributeOrigin, attributeOf } from '../graph/architecture-graph.ts';
import { readGraph } from '../graph/read-graph.ts';
import { type KnowledgeSchema, NODE_FIELDS, nearestValue } from '../schema/knowledge-schema.ts';
import { compareFaults } from '../validation/graph-fault.ts';
import { validateGraph } from '../validation/validate-graph.ts';

export interface FixedGraph {
  graph: ArchitectureGraph;
  /** One line per repair. */
  repairs: string[];
}

interface Repair {
  patch: TextPatch;
  what: string;
}

/** Several rounds, since a repair may make another one possible. */
const MAX_ROUNDS = 5;

/** Makes repairs that need no judgement: misspelt values and names, a relation given as a label, duplicate edges. */
export function fixGraph(start: ArchitectureGraph, schema: KnowledgeSchema): FixedGraph {
  let graph = start;
  const repairs: string[] = [];
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const found = findRepairs(graph, schema);
    if (found.length === 0) break;
    const fixed = applyRepairs(graph, found, schema);
    if (!fixed) break;
    graph = fixed;
    repairs.push(...found.map(({ what }) => what));
  }
  return { graph, repairs };
}

/** Undefined if the repairs would add faults. */
function applyRepairs(
  graph: ArchitectureGraph,
  repairs: readonly Repair[],
  schema: KnowledgeSchema,
): ArchitectureGraph | undefined {
  const read = readGraph(
    applyPatches(
      graph.text,
      repairs.map(({ patch }) => patch),
    ),
  );
  if (!read.ok) return undefined;
  const [before, after] = [graph, read.graph].map((one) => validateGraph(one, schema).faults);
  const { added } = compareFaults(before ?? [], after ?? []);
  const isWorse = (after?.length ?? 0) > (before?.length ?? 0);
  return isWorse && added.length > 0 ? undefined : read.graph;
}

function findRepairs(graph: ArchitectureGraph, schema: KnowledgeSchema): Repair[] {
  const repairs: Repair[] = [];
  const replaced = new Set<Atom>();
  const replace = (atom: Atom | undefined, value: string, what: string) => {
    if (!atom || replaced.has(atom)) return;
    replaced.add(atom);
    const style = atom.form === 'name' || atom.form === 'number' ? 'bare' : 'quoted';
    repairs.push({ patch: { start: atom.start, end: atom.end, text: writeAtom(value, style) }, what });
  };
  for (const { code, node, field, found, nearest } of validateGraph(graph, schema).faults) {
    if (code === 'node.value' && node !== undefined && field !== undefined && nearest !== undefined) {
      const origin = graph.nodes.get(node)?.attributes.get(field);
      replace(origin?.attribute.value, nearest, `node ${node}: changed ${field} "${found}" to ${nearest}`);
    }
  }
  for (const { node, from, to } of misnamedFields(graph)) {
    replace(from, to, `node ${node}: renamed attribute ${from.value} to ${to}`);
  }
  repairs.push(...edgeRepairs(graph, schema, replace));
  return withoutOverlap(repairs);
}

function edgeRepairs(
  graph: ArchitectureGraph,
  schema: KnowledgeSchema,
  replace: (atom: Atom | undefined, value: string, what: string) => void,
): Repair[] {
  const repairs: Repair[] = [];
  const style = fileStyle(graph);
  const nearest = new Map<string, string>();
  for (const fault of validateGraph(graph, schema).faults) {
    if (fault.code === 'edge.end' && fault.found && fault.nearest) nearest.set(fault.found, fault.nearest);
  }
  const seen = new Set<string>();
  const visited = new Set<Statement>();
  for (const edge of graph.edges) {
    const name = `edge ${edge.from} -> ${edge.to}`;
    const relation = edge.attributes.get('relation');
    const value = attributeOf(edge, 'relation');
    const legal = value === undefined || schema.relations.includes(value);
    const meant = legal ? undefined : nearestValue(schema, 'relation', value);
    if (meant !== undefined)
      replace(relation?.attribute.value, meant, `${name}: changed relation "${value}" to ${meant}`);
    if (value === undefined)
      repairs.push(...fromLabel(edge.attributes.get('label'), schema, name, style.values));
    for (const { statement } of edge.places) {
      if (visited.has(statement)) continue;
      visited.add(statement);
      for (const end of statement.ends) {
        for (const { id } of end.type === 'group' ? end.nodes : []) {
          const right = nearest.get(nameOf(id));
          if (right !== undefined) replace(id, right, `${name}: changed "${nameOf(id)}" to ${right}`);
        }
      }
    }
    const key = JSON.stringify([edge.from, edge.to, value, attributeOf(edge, 'note')]);
    const [place] = edge.places;
    const isAlone =
      place?.statement.ends.every((end) => end.type === 'group' && end.nodes.length === 1) ?? false;
    if (place && seen.has(key) && edge.places.length === 1 && isAlone && place.statement.ends.length === 2) {
      repairs.push({
        patch: removeStatement(graph.text, place.statement),
        what: `${name}: removed a duplicate`,
      });
    }
    seen.add(key);
  }
  return repairs;
}

/** Copies `label="uses"` to the missing relation. The label stays, since it is drawn. */
function fromLabel(
  label: AttributeOrigin | undefined,
  schema: KnowledgeSchema,
  name: string,
  style: 'bare' | 'quoted',
): Repair[] {
  const value = label?.attribute.value.value;
  const meant = value === undefined || value === '' ? undefined : nearestValue(schema, 'relation', value);
  if (!label || meant === undefined) return [];
  const { start } = label.attribute;
  const text = `relation=${writeAtom(meant, style)}, `;
  return [
    {
      patch: { start, end: start, text },
      what: `${name}: added relation ${meant} from the label "${value}"`,
    },
  ];
}

/** Keeps the first of overlapping repairs; the next round finds the rest. */
function withoutOverlap(repairs: readonly Repair[]): Repair[] {
  let end = -1;
  return repairs
    .toSorted((a, b) => a.patch.start - b.patch.start)
    .filter(({ patch }) => {
      if (patch.start < end || (patch.start === end && patch.start === patch.end)) return false;
      end = Math.max(patch.end, patch.start + 1);
      return true;
    });
}

/** Names that other tools use for the same field. */
const OTHER_NAMES = new Map([
  ['desc', 'description'],
  ['summary', 'description'],
  ['kind', 'type'],
  ['node_type', 'type'],
  ['state', 'status'],
  ['tags', 'tag'],
  ['file', 'path'],
]);

/** Graphviz attributes that are only similar in spelling to our fields. */
const DRAWING = new Set([
  'style',
  'shape',
  'label',
  'color',
  'peripheries',
  'pos',
  'group',
  'url',
  'xlabel',
  'target',
]);

/** Attributes with nearly the name of a field that the node lacks. */
function misnamedFields({ nodes }: ArchitectureGraph): { node: string; from: Atom; to: string }[] {
  return [...nodes.values()].flatMap((node) => {
    const lacking = NODE_FIELDS.filter((field) => attributeOf(node, field) === undefined);
    return [...node.attributes].flatMap(([name, { attribute }]) => {
      if (DRAWING.has(name.toLowerCase()) || NODE_FIELDS.some((field) => field === name)) return [];
      const to = OTHER_NAMES.get(name.toLowerCase()) ?? nearestWord(name, lacking);
      return to !== undefined && lacking.some((field) => field === to)
        ? [{ node: node.id, from: attribute.key, to }]
        : [];
    });
  });
}
