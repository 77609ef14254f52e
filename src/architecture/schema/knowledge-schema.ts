/** What a graph may say. A project adds to the lists of types and relations, and may name its tags. */
export interface KnowledgeSchema {
  types: readonly string[];
  levels: readonly string[];
  statuses: readonly string[];
  priorities: readonly string[];
  relations: readonly string[];
  /** Undefined: any tag will do. */
  tags: readonly string[] | undefined;
}

export const NODE_TYPES = [
  'component',
  'interface',
  'abstraction',
  'datastore',
  'external',
  'pattern',
  'rule',
] as const;
export const LEVELS = ['architecture', 'implementation'] as const;
export const STATUSES = ['current', 'deprecated', 'future', 'legacy'] as const;
export const PRIORITIES = ['critical', 'high', 'medium', 'low'] as const;
export const RELATIONS = [
  'calls',
  'uses',
  'implements',
  'configured_with',
  'must_follow',
  'must_not_use',
  'superseded_by',
  'supersedes',
  'coexists_with',
] as const;

export const BUILT_IN_SCHEMA: KnowledgeSchema = {
  types: NODE_TYPES,
  levels: LEVELS,
  statuses: STATUSES,
  priorities: PRIORITIES,
  relations: RELATIONS,
  tags: undefined,
};

/** What a project's configuration says under `architecture`. */
export interface SchemaExtension {
  types?: readonly string[] | undefined;
  relations?: readonly string[] | undefined;
  tags?: readonly string[] | undefined;
}

/** The built-in schema with what a project adds to it. */
export function extendSchema({ types = [], relations = [], tags }: SchemaExtension = {}): KnowledgeSchema {
  return {
    ...BUILT_IN_SCHEMA,
    types: [...new Set([...NODE_TYPES, ...types])],
    relations: [...new Set([...RELATIONS, ...relations])],
    tags: tags && [...new Set(tags)],
  };
}

/** The fields of a node, in the order in which they are written. */
export const NODE_FIELDS = [
  'type',
  'level',
  'status',
  'description',
  'priority',
  'tag',
  'component',
  'path',
  'example',
] as const;
export type NodeField = (typeof NODE_FIELDS)[number];

export const REQUIRED_FIELDS = ['type', 'level', 'status', 'description'] as const;

/** The legal values of a field; undefined where any text will do. */
export function legalValues(schema: KnowledgeSchema, field: string): readonly string[] | undefined {
  switch (field) {
    case 'type':
      return schema.types;
    case 'level':
      return schema.levels;
    case 'status':
      return schema.statuses;
    case 'priority':
      return schema.priorities;
    case 'relation':
      return schema.relations;
    case 'tag':
      return schema.tags;
    default:
      return undefined;
  }
}

/** `api-server`: small letters and digits, with single dashes between. */
export function isKebabCase(id: string): boolean {
  return id.length <= 100 && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(id);
}

/** The nearest id in kebab-case: `ApiServer v2` becomes `api-server-v2`. */
export function toKebabCase(id: string): string {
  return id
    .slice(0, 200)
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 100);
}
