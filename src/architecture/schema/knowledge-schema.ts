import { nearestWord } from '../../domain/nearest-word.ts';

/** Allowed values in a graph. A project can add types and relations, and list its tags. */
export interface KnowledgeSchema {
  types: readonly string[];
  levels: readonly string[];
  statuses: readonly string[];
  priorities: readonly string[];
  relations: readonly string[];
  /** Undefined allows any tag. */
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

/** `architecture` in a project's configuration. */
export interface SchemaExtension {
  types?: readonly string[] | undefined;
  relations?: readonly string[] | undefined;
  tags?: readonly string[] | undefined;
}

/** The built-in schema with a project's additions. */
export function extendSchema({ types = [], relations = [], tags }: SchemaExtension = {}): KnowledgeSchema {
  return {
    ...BUILT_IN_SCHEMA,
    types: [...new Set([...NODE_TYPES, ...types])],
    relations: [...new Set([...RELATIONS, ...relations])],
    tags: tags && [...new Set(tags)],
  };
}

/** The fields of a node, in the order they are written. */
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

/** The legal values of a field; undefined if it accepts any text. */
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

/** `api-server`: lower-case letters and digits, separated by single dashes. */
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

/** Words that agents write instead of the legal ones, and that are not similar in spelling. */
const SYNONYMS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  type: {
    component: 'service module library package class subsystem server app application layer worker',
    interface: 'api protocol contract endpoint port',
    abstraction: 'concept model entity domain type',
    datastore: 'database db store storage cache queue table bucket',
    external: 'third-party thirdparty third_party vendor saas dependency',
    pattern: 'convention practice approach idiom',
    rule: 'constraint policy guideline principle requirement standard decision',
  },
  level: {
    architecture: 'application app system design arch high high-level architectural conceptual domain',
    implementation: 'code impl low low-level detail module technical',
  },
  status: {
    current: 'active live existing stable implemented done enabled present in-use production',
    future: 'planned proposed upcoming todo wip draft next in-progress in_progress',
    deprecated: 'obsolete retired removed sunset disabled inactive',
    legacy: 'old historical outdated',
  },
  priority: {
    critical: 'blocker urgent must p0 mandatory required',
    high: 'important major should p1',
    medium: 'normal moderate default p2',
    low: 'minor optional trivial nice-to-have could p3',
  },
  relation: {
    uses: 'depends_on depends-on depends requires needs imports has contains reads writes stores_in',
    calls: 'invokes requests sends_to triggers queries',
    implements: 'extends realizes realises provides conforms_to inherits',
    configured_with: 'configured_by configures config configured-with',
    must_follow: 'follows complies_with adheres_to governed_by must-follow',
    must_not_use: 'avoids forbids prohibits must_not must-not-use not_use',
    superseded_by: 'replaced_by deprecated_by replaced-by',
    supersedes: 'replaces deprecates obsoletes',
    coexists_with: 'relates_to related_to works_with alongside coexists associated_with',
  },
};

const BY_WORD = new Map(
  Object.entries(SYNONYMS).flatMap(([field, legal]) =>
    Object.entries(legal).flatMap(([value, words]) =>
      words.split(' ').map((word) => [`${field} ${word}`, value] as const),
    ),
  ),
);

/** The legal value that was probably meant; undefined if none is near. */
export function nearestValue(schema: KnowledgeSchema, field: string, found: string): string | undefined {
  const legal = legalValues(schema, field) ?? [];
  const word = found.trim().toLowerCase();
  const same = legal.find((value) => value === word || value === word.replaceAll(/[ -]/g, '_'));
  const synonym = BY_WORD.get(`${field} ${word}`) ?? BY_WORD.get(`${field} ${word.replaceAll(' ', '_')}`);
  return same ?? (synonym !== undefined && legal.includes(synonym) ? synonym : nearestWord(word, legal));
}
