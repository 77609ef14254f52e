import type { EntityRegistry, EntityType } from '../domain/entities/entity-type.ts';
import { parseGroup } from '../domain/entities/group.ts';
import { parseTimestamp } from '../domain/timestamp.ts';
import { GuardKitError } from '../guardkit-error.ts';
import { EPISODE_FIELDS, type Filter, type ListOptions } from './episode-store.ts';
import type { FieldValue } from './prepare-episode.ts';

export type EpisodeField = (typeof EPISODE_FIELDS)[number];

const COMPARISONS = ['lt', 'lte', 'gt', 'gte'] as const;

type Comparison = (typeof COMPARISONS)[number];

/** A test of one column or field, with values in the stored form. */
export type CheckedTest =
  | { op: 'in' | 'notIn'; values: FieldValue[] }
  | { op: Comparison; value: FieldValue }
  | { op: 'absent' | 'present' };

export type CheckedFilter = { test: CheckedTest } & (
  | { on: 'column'; column: EpisodeField }
  | { on: 'field'; field: string }
);

export type CheckedOrder = { on: 'column'; column: EpisodeField } | { on: 'field'; field: string };

const TIME_COLUMNS: readonly EpisodeField[] = ['valid_at', 'created_at'];

export function isTimeColumn(column: EpisodeField): boolean {
  return TIME_COLUMNS.includes(column);
}

const EPISODE_FIELD_SET: ReadonlySet<string> = new Set(EPISODE_FIELDS);

function isEpisodeField(field: string): field is EpisodeField {
  return EPISODE_FIELD_SET.has(field);
}

interface GroupFields {
  fields: readonly string[];
  /** The field that decides which entity is the latest; undefined means by creation time. */
  latestBy: string | undefined;
}

const known = new WeakMap<EntityRegistry, Map<string, GroupFields>>();

/** The declared fields of a group's entities, most selective first. Cached per group. */
function groupFields(registry: EntityRegistry, group: string): GroupFields {
  let groups = known.get(registry);
  if (!groups) {
    groups = new Map();
    known.set(registry, groups);
  }
  let found = groups.get(group);
  if (!found) {
    const { name } = parseGroup(group);
    const types = [...registry.values()].filter((entity) => entity.groups.includes(name));
    found = {
      fields: [...new Set(types.flatMap(indexedNames))],
      latestBy: types.find((entity) => entity.latestBy)?.latestBy,
    };
    groups.set(group, found);
  }
  return found;
}

function indexedNames({ indexed, indexedWithin = {} }: EntityType): string[] {
  return [...indexed, ...Object.values(indexedWithin).flatMap((names) => names ?? [])];
}

/** Checks the fields and puts the most selective filter first, where backends use it to enter the index. */
export function checkFilters(
  registry: EntityRegistry,
  group: string,
  filters: readonly Filter[],
): CheckedFilter[] {
  const { fields } = groupFields(registry, group);
  const rank = (filter: CheckedFilter) =>
    filter.on === 'field' && filter.test.op === 'in' ? fields.indexOf(filter.field) : fields.length;
  const checked = filters.map((filter) => checkFilter(filter, fields, group));
  return checked.length > 1 ? checked.sort((a, b) => rank(a) - rank(b)) : checked;
}

/** Checks the filters of a search, which apply to each of its groups. */
export function checkSearchFilters(
  registry: EntityRegistry,
  groups: readonly string[] | undefined,
  filters: readonly Filter[] | undefined,
): CheckedFilter[] {
  if (filters === undefined || filters.length === 0) return [];
  if (groups === undefined) {
    throw new GuardKitError({
      code: 'search.groups-needed',
      kind: 'input',
      message: 'A search by fields needs groups: the available fields depend on the group.',
      hint: 'Specify the groups to search, or omit the fields.',
    });
  }
  const [checked = []] = groups.map((group) => checkFilters(registry, group, filters));
  return checked;
}

/** A filter that can enter the field index: one value of one field. */
export type EntryFilter = Extract<CheckedFilter, { on: 'field' }> & { test: { op: 'in' } };

export function isEntry(filter: CheckedFilter): filter is EntryFilter {
  return filter.on === 'field' && filter.test.op === 'in' && filter.test.values.length === 1;
}

export function checkOrder(registry: EntityRegistry, group: string, field: string): CheckedOrder {
  if (isEpisodeField(field)) return { on: 'column', column: field };
  const { fields } = groupFields(registry, group);
  if (fields.includes(field)) return { on: 'field', field };
  throw unknownField(field, fields, group);
}

export function latestField(registry: EntityRegistry, group: string): string | undefined {
  return groupFields(registry, group).latestBy;
}

function checkFilter(filter: Filter, fields: readonly string[], group: string): CheckedFilter {
  const { field } = filter;
  if (isEpisodeField(field)) {
    return { on: 'column', column: field, test: checkTest(filter, (value) => columnValue(field, value)) };
  }
  if (!fields.includes(field)) throw unknownField(field, fields, group);
  return { on: 'field', field, test: checkTest(filter, fieldValue) };
}

function checkTest(filter: Filter, convert: (value: string | number | boolean) => FieldValue): CheckedTest {
  if (filter.op === 'in') return { op: 'in', values: filter.value.map(convert) };
  const { op, value } = filter;
  // An absent value compares with nothing, so a comparison with null matches no entity.
  if (value === null)
    return op === 'eq' ? { op: 'absent' } : op === 'ne' ? { op: 'present' } : { op: 'in', values: [] };
  if (op === 'eq') return { op: 'in', values: [convert(value)] };
  if (op === 'ne') return { op: 'notIn', values: [convert(value)] };
  if (!COMPARISONS.includes(op)) throw unknownOperator(op);
  return { op, value: convert(value) };
}

function unknownOperator(op: string): GuardKitError {
  return new GuardKitError({
    code: 'list.unknown-operator',
    kind: 'input',
    message: `Unknown comparison "${op.slice(0, 60)}".`,
    hint: `Comparisons: eq, ne, in, ${COMPARISONS.join(', ')}.`,
  });
}

function columnValue(column: EpisodeField, value: string | number | boolean): FieldValue {
  return isTimeColumn(column) ? Date.parse(parseTimestamp(String(value))) : String(value);
}

/** Booleans are stored as 1 and 0. */
function fieldValue(value: string | number | boolean): FieldValue {
  return typeof value === 'boolean' ? Number(value) : value;
}

function unknownField(field: string, fields: readonly string[], group: string): GuardKitError {
  return new GuardKitError({
    code: 'list.unknown-field',
    kind: 'input',
    message: `${group} cannot be filtered or sorted by "${field.slice(0, 60)}".`,
    hint: `Fields: ${[...fields, ...EPISODE_FIELDS].join(', ')}.`,
  });
}

/** How many rows to skip and to return; undefined means all. */
export function checkPage({ limit, offset = 0 }: Pick<ListOptions, 'limit' | 'offset'>): {
  limit: number | undefined;
  offset: number;
} {
  assertCount('limit', limit);
  assertCount('offset', offset);
  return { limit, offset };
}

function assertCount(name: string, value: number | undefined): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= 0)) return;
  throw new GuardKitError({
    code: 'list.page',
    kind: 'input',
    message: `Invalid ${name}: ${value}.`,
    hint: 'Use a whole number, 0 or more.',
  });
}
