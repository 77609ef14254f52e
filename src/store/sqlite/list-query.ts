import type { Moment } from '../as-of.ts';
import { versionCondition } from '../as-of.ts';
import { type CheckedFilter, type CheckedOrder, type CheckedTest, isEntry } from '../check-filter.ts';
import type { EpisodeRow } from '../read-episode.ts';
import type { Sql } from '../sql.ts';
import { ownValue, unindexedWithValue } from './version-fields.ts';

type SqlValue = string | number;

/** The columns of an episode as `EpisodeRow` names them; `e` is the episode, `g` its group. */
export const EPISODE_COLUMNS =
  'e.uuid, g.name AS group_name, e.entity_id, e.entity_type, e.name, e.body, e.source, e.content_hash, ' +
  'e.valid_at, e.invalid_at, e.created_at, e.expired_at';

/** A row as an array in the order of `EPISODE_COLUMNS`, which the driver returns faster than an object. */
export type EpisodeCells = [
  uuid: string,
  group: string,
  entityId: string,
  entityType: string,
  name: string,
  body: string,
  source: string,
  contentHash: string,
  validAt: number,
  invalidAt: number | null,
  createdAt: number,
  expiredAt: number | null,
];

export function episodeRow(cells: EpisodeCells): EpisodeRow {
  return {
    uuid: cells[0],
    group_name: cells[1],
    entity_id: cells[2],
    entity_type: cells[3],
    name: cells[4],
    body: cells[5],
    source: cells[6],
    content_hash: cells[7],
    valid_at: cells[8],
    invalid_at: cells[9],
    created_at: cells[10],
    expired_at: cells[11],
  };
}

const COMPARISONS = { lt: '<', lte: '<=', gt: '>', gte: '>=' } as const;

export interface ListQuery {
  groupId: number;
  filters: readonly CheckedFilter[];
  order: CheckedOrder;
  direction: 'asc' | 'desc';
  moment: Moment | undefined;
  limit: number;
  offset: number;
}

/** SQL by the shape of the query: building it costs more than running it. */
const texts = new Map<string, string>();
const MAX_TEXTS = 500;

export function listSql(query: ListQuery): Sql<SqlValue> {
  const form = formOf(query);
  const known = texts.get(form);
  if (known !== undefined) return { text: known, values: listValues(query) };
  const text = buildSql(query);
  if (texts.size >= MAX_TEXTS) texts.clear();
  texts.set(form, text);
  return { text, values: listValues(query) };
}

/** Two queries of the same shape differ only in their values. */
function formOf({ filters, order, direction, moment, limit }: ListQuery): string {
  let form = `${order.on === 'column' ? order.column : `.${order.field}`} ${direction} ${moment ? 'then' : 'now'} ${limit === 1 ? 'one' : 'many'}`;
  for (const filter of filters) {
    const { test } = filter;
    form += ` ${filter.on === 'column' ? filter.column : `.${filter.field}`} ${test.op}`;
    if ('values' in test) form += test.values.length;
    else if ('value' in test) form += typeof test.value;
  }
  return form;
}

/** The values in the order of their placeholders. */
function listValues({ groupId, filters, order, moment, limit, offset }: ListQuery): SqlValue[] {
  const [first] = filters;
  const entering = first !== undefined && isEntry(first);
  const values: SqlValue[] = [groupId];
  if (entering) {
    addFieldValues(first, values);
    addFieldValues(first, values);
    addValues(first.test, values);
    values.push(groupId);
  }
  if (moment) values.push(...versionCondition(moment, 'episode').values);
  for (let index = entering ? 1 : 0; index < filters.length; index += 1) {
    const filter = filters[index];
    if (filter) addFilterValues(filter, values);
  }
  if (order.on === 'field') values.push(order.field);
  values.push(limit, offset);
  return values;
}

/** A field's values occur twice: for `episode_field` and for the version's own row. */
function addFilterValues(filter: CheckedFilter, to: SqlValue[]): void {
  if (filter.on === 'field') addFieldValues(filter, to);
  addValues(filter.test, to);
}

function addFieldValues({ field, test }: FieldFilter, to: SqlValue[]): void {
  to.push(field);
  addValues(test, to);
}

function addValues(test: CheckedTest, to: SqlValue[]): void {
  if ('values' in test) to.push(...test.values);
  else if ('value' in test) to.push(test.value);
}

type FieldFilter = Extract<CheckedFilter, { on: 'field' }>;

function buildSql({ filters, order, direction, moment, limit }: ListQuery): string {
  const [first, ...rest] = filters;
  const entering = first !== undefined && isEntry(first);
  const conditions = [
    versionCondition(moment, 'episode').text,
    ...(entering ? rest : filters).map(filterCondition),
  ].map((text) => ` AND ${text}`);
  const from = `${entering ? byValue(first.field) : 'episode e'} ${limit === 1 ? '' : GROUP}WHERE e.group_id = ?${conditions.join('')}`;
  const page =
    `ORDER BY ${orderSql(order)} ${direction === 'asc' ? 'ASC' : 'DESC'}, e.created_at DESC, e.seq DESC ` +
    'LIMIT CAST(? AS INTEGER) OFFSET CAST(? AS INTEGER)';
  // Find the one row first, then read it: sorting would carry every body along.
  return limit === 1
    ? `SELECT ${EPISODE_COLUMNS} FROM episode e ${GROUP}WHERE e.seq = (SELECT e.seq FROM ${from} ${page})`
    : `SELECT ${EPISODE_COLUMNS} FROM ${from} ${page}`;
}

const GROUP = 'JOIN episode_group g ON g.id = e.group_id ';

/**
 * CROSS JOIN keeps SQLite from reordering the join: one value in the field index narrows most. Versions that are not
 * indexed yet are all scanned. Takes group, field and value, then field, value and value.
 */
function byValue(field: string): string {
  return (
    `(SELECT seq FROM field_value WHERE group_id = ? AND field = ? AND value = ? UNION ALL ${unindexedWithValue(field)}) f ` +
    'CROSS JOIN episode e ON e.seq = f.seq'
  );
}

/** SQL condition for an episode `e` that matches. */
export function filterSql(filter: CheckedFilter): Sql<SqlValue> {
  const values: SqlValue[] = [];
  addFilterValues(filter, values);
  return { text: filterCondition(filter), values };
}

function filterCondition(filter: CheckedFilter): string {
  if (filter.on === 'column') return testSql(`e.${filter.column}`, filter.test);
  const { field } = filter;
  // Negated outside, since an entity may have several values of a field.
  const negated = filter.test.op === 'absent' || filter.test.op === 'notIn';
  const test = withoutNegation(filter.test);
  return (
    `${negated ? 'NOT ' : ''}CASE WHEN e.fields IS NULL THEN EXISTS (SELECT 1 FROM episode_field x ` +
    `WHERE x.seq = e.seq AND x.field = ? AND ${testSql('x.value', test)}) ` +
    `ELSE (${testSql(`(${ownValue('e', field)})`, test)}) IS TRUE END`
  );
}

function withoutNegation(test: CheckedTest): CheckedTest {
  if (test.op === 'absent') return { op: 'present' };
  return test.op === 'notIn' ? { op: 'in', values: test.values } : test;
}

function testSql(operand: string, test: CheckedTest): string {
  switch (test.op) {
    case 'absent':
      return `${operand} IS NULL`;
    case 'present':
      return `${operand} IS NOT NULL`;
    case 'in':
    case 'notIn': {
      const marks = test.values.map(() => '?').join(', ');
      return `${operand} ${test.op === 'in' ? 'IN' : 'NOT IN'} (${marks})`;
    }
    default: {
      // SQLite sorts every number before every text; without this check a text would be "greater" than any number.
      const kind = typeof test.value === 'number' ? "IN ('integer', 'real')" : "= 'text'";
      return `(${operand} ${COMPARISONS[test.op]} ? AND typeof(${operand}) ${kind})`;
    }
  }
}

function orderSql(order: CheckedOrder): string {
  if (order.on === 'column') return `e.${order.column}`;
  return (
    'CASE WHEN e.fields IS NULL THEN (SELECT min(o.value) FROM episode_field o WHERE o.seq = e.seq AND o.field = ?) ' +
    `ELSE ${ownValue('e', order.field)} END`
  );
}
