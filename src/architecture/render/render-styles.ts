/** Fill and border of a node by its type; types of a project's own take the others in turn. */
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

export interface NodeStyle {
  shape: string;
  fill: string;
  border: string;
}

export function typeStyle(type: string, types: readonly string[]): NodeStyle {
  const further = types.filter((one) => !Object.hasOwn(TYPE_COLOURS, one));
  const [fill, border] = Object.hasOwn(TYPE_COLOURS, type)
    ? (TYPE_COLOURS[type] ?? FURTHER_COLOURS[0])
    : (FURTHER_COLOURS[Math.max(0, further.indexOf(type)) % FURTHER_COLOURS.length] ?? FURTHER_COLOURS[0]);
  return { shape: Object.hasOwn(TYPE_SHAPES, type) ? (TYPE_SHAPES[type] ?? 'box') : 'box', fill, border };
}

export function relationColour(relation: string): string {
  return Object.hasOwn(RELATION_COLOURS, relation) ? (RELATION_COLOURS[relation] ?? '#4b5563') : '#4b5563';
}
