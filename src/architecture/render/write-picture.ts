import { writeAtom } from '../dot/dot-syntax.ts';
import {
  type ArchitectureEdge,
  type ArchitectureGraph,
  type ArchitectureNode,
  attributeOf,
} from '../graph/architecture-graph.ts';

export interface PictureOptions {
  /** Only these nodes, and the edges between them. */
  only?: ReadonlySet<string>;
  /** Nodes to highlight. */
  changes?: ReadonlyMap<string, 'added' | 'changed'>;
}

const CHANGE_COLOURS = { added: '#16a34a', changed: '#ea580c' } as const;

/** With more edges, labels would cover the picture; the colours still show the relation. */
const MAX_EDGE_LABELS = 60;
const MAX_DESCRIPTION = 400;

/** The graph as DOT for drawing: colours by type, deprecated nodes faded, and a legend. */
export function writePicture(
  graph: ArchitectureGraph,
  { only, changes = new Map() }: PictureOptions = {},
): string {
  const nodes = [...graph.nodes.values()].filter(({ id }) => only?.has(id) ?? true);
  const ids = new Set(nodes.map(({ id }) => id));
  const edges = graph.edges.filter(({ from, to }) => ids.has(from) && ids.has(to));
  const types = [...new Set(nodes.map(typeOf))].sort();
  const relations = [...new Set(edges.map(relationOf))].sort();
  const names = new Map(nodes.map(({ id }, index) => [id, `n${index}`]));
  return [
    'digraph {',
    '  graph [rankdir=LR, ranksep=0.6, nodesep=0.12, pad=0.4, fontname="Helvetica", bgcolor="white", compound=true];',
    '  node [style="filled", fontname="Helvetica", fontsize=11, margin="0.15,0.08", penwidth=1.2];',
    '  edge [fontname="Helvetica", fontsize=9, arrowsize=0.7];',
    ...groupedNodes(nodes, names, types, changes),
    ...edges.map((edge) => edgeStatement(edge, names, edges.length <= MAX_EDGE_LABELS)),
    ...legend(types, relations, new Set(changes.values())),
    '}',
    '',
  ].join('\n');
}

/** Draws the parts of a component in one box. */
function groupedNodes(
  nodes: readonly ArchitectureNode[],
  names: ReadonlyMap<string, string>,
  types: readonly string[],
  changes: NonNullable<PictureOptions['changes']>,
): string[] {
  const boxes = new Map<string, ArchitectureNode[]>();
  const partOf = (node: ArchitectureNode) => {
    const component = attributeOf(node, 'component') ?? '';
    return names.has(component) && component !== node.id ? component : undefined;
  };
  const whole = new Set(nodes.map(partOf));
  for (const node of nodes) {
    // A component is drawn in the box of its parts, which keeps its edges to them short, unless it is a part itself.
    const box = partOf(node) ?? (whole.has(node.id) ? node.id : '');
    const known = boxes.get(box);
    if (known) known.push(node);
    else boxes.set(box, [node]);
  }
  return [...boxes].flatMap(([component, members], index) => {
    const lines = members.map((node) => nodeStatement(node, names, types, changes.get(node.id)));
    if (component === '' || members.length < 2) return lines;
    const head = `  subgraph cluster_${index} { label=${text(component)}; style="rounded"; color="#d1d5db"; labeljust=l; fontsize=11; fontcolor="#6b7280";`;
    return [head, ...lines, '  }'];
  });
}

function nodeStatement(
  node: ArchitectureNode,
  names: ReadonlyMap<string, string>,
  types: readonly string[],
  change: keyof typeof CHANGE_COLOURS | undefined,
): string {
  const { shape, fill, border } = typeStyle(typeOf(node), types);
  const status = attributeOf(node, 'status');
  const isFaded = status === 'deprecated' || status === 'legacy';
  const priority = attributeOf(node, 'priority');
  const label = [node.id, ...(priority ? [`(${priority})`] : []), ...(isFaded ? [`(${status})`] : [])].join(
    '\n',
  );
  const look = isFaded
    ? `fillcolor="#f9fafb", color="#d1d5db", fontcolor="#9ca3af", style="filled,dashed"`
    : `fillcolor="${fill}", color="${border}"${status === 'future' ? ', style="filled,dotted"' : ''}`;
  const tooltip = attributeOf(node, 'description')?.slice(0, MAX_DESCRIPTION) ?? node.id;
  const marked = change === undefined ? '' : `, penwidth=4, color="${CHANGE_COLOURS[change]}"`;
  return `    ${names.get(node.id)} [label=${text(label)}, shape=${shape}, ${look}${marked}, tooltip=${text(tooltip)}];`;
}

function edgeStatement(
  edge: ArchitectureEdge,
  names: ReadonlyMap<string, string>,
  withLabel: boolean,
): string {
  const relation = relationOf(edge);
  const colour = relationColour(relation);
  const style = relation.startsWith('supersede') ? ', style=dashed' : '';
  const label = withLabel ? `, label=${text(relation)}, fontcolor="${colour}"` : '';
  const tooltip = text(`${edge.from} ${relation} ${edge.to}`);
  return `  ${names.get(edge.from)} -> ${names.get(edge.to)} [color="${colour}"${style}${label}, tooltip=${tooltip}];`;
}

function legend(
  types: readonly string[],
  relations: readonly string[],
  changes: ReadonlySet<keyof typeof CHANGE_COLOURS>,
): string[] {
  if (types.length === 0) return [];
  const rows = [
    ...types.map((type) => {
      const { fill, border } = typeStyle(type, types);
      return `<tr><td bgcolor="${fill}" color="${border}" border="1" width="18"> </td><td align="left">${html(type)}</td></tr>`;
    }),
    ...relations.map(
      (relation) =>
        `<tr><td><font color="${relationColour(relation)}">→</font></td><td align="left">${html(relation)}</td></tr>`,
    ),
    ...[...changes].map(
      (change) =>
        `<tr><td border="3" color="${CHANGE_COLOURS[change]}"> </td><td align="left">${change}</td></tr>`,
    ),
    '<tr><td border="1" style="dashed" color="#d1d5db"> </td><td align="left">deprecated or legacy</td></tr>',
    '<tr><td border="1" style="dotted" color="#4b5563"> </td><td align="left">future</td></tr>',
  ];
  const table = `<table border="0" cellborder="0" cellspacing="3">${rows.join('')}</table>`;
  return [
    '  subgraph cluster_legend { label="Legend"; color="#d1d5db"; fontsize=10;',
    `    legend [shape=plaintext, style="", label=<${table}>];`,
    '  }',
  ];
}

/** A backslash starts an escape in a label, so it is doubled. */
function text(value: string): string {
  const lines = value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
  return writeAtom(lines, 'quoted');
}

function html(value: string): string {
  const shown = value.slice(0, 60);
  return shown
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

function typeOf(node: ArchitectureNode): string {
  return attributeOf(node, 'type') ?? 'no type';
}

function relationOf(edge: ArchitectureEdge): string {
  return attributeOf(edge, 'relation') ?? 'no relation';
}

/** Fill and border by node type; custom types use the further colours in turn. */
const TYPE_COLOURS: Readonly<Record<string, readonly [fill: string, border: string]>> = {
  component: ['#dbeafe', '#1d4ed8'],
  interface: ['#dcfce7', '#15803d'],
  abstraction: ['#ede9fe', '#6d28d9'],
  datastore: ['#fef3c7', '#b45309'],
  external: ['#e5e7eb', '#374151'],
  pattern: ['#cffafe', '#0e7490'],
  rule: ['#fee2e2', '#b91c1c'],
};
const FURTHER_COLOURS = [
  ['#fce7f3', '#be185d'],
  ['#ecfccb', '#4d7c0f'],
  ['#ffedd5', '#c2410c'],
  ['#e0e7ff', '#3730a3'],
] as const;

const TYPE_SHAPES: Readonly<Record<string, string>> = {
  datastore: 'cylinder',
  rule: 'note',
  external: 'box3d',
  interface: 'component',
  pattern: 'hexagon',
};

const RELATION_COLOURS: Readonly<Record<string, string>> = {
  calls: '#1d4ed8',
  uses: '#4b5563',
  implements: '#15803d',
  configured_with: '#b45309',
  must_follow: '#7e22ce',
  must_not_use: '#dc2626',
  superseded_by: '#9ca3af',
  supersedes: '#9ca3af',
  coexists_with: '#0e7490',
};

interface NodeStyle {
  shape: string;
  fill: string;
  border: string;
}

function typeStyle(type: string, types: readonly string[]): NodeStyle {
  const further = types.filter((one) => !Object.hasOwn(TYPE_COLOURS, one));
  const [fill, border] = Object.hasOwn(TYPE_COLOURS, type)
    ? (TYPE_COLOURS[type] ?? FURTHER_COLOURS[0])
    : (FURTHER_COLOURS[Math.max(0, further.indexOf(type)) % FURTHER_COLOURS.length] ?? FURTHER_COLOURS[0]);
  return { shape: Object.hasOwn(TYPE_SHAPES, type) ? (TYPE_SHAPES[type] ?? 'box') : 'box', fill, border };
}

function relationColour(relation: string): string {
  return Object.hasOwn(RELATION_COLOURS, relation) ? (RELATION_COLOURS[relation] ?? '#4b5563') : '#4b5563';
}
