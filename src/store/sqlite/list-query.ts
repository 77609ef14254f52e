import type { Moment } from '../as-of.ts';
import type { CheckedFilter, CheckedOrder, CheckedTest } from '../check-filter.ts';
import type { EpisodeRow } from '../read-episode.ts';
import type { Sql } from '../sql.ts';
import { versionCondition } from '../version-condition.ts';
import { LATE_WITH_VALUE } from './late-indexes.ts';

type SqlValue = string | number;

/** The columns of an episode as `EpisodeRow` names them; `e` is the episode, `g` its group. */
export const EPISODE_COLUMNS =
  'e.uuid, g.name AS group_name, e.entity_id, e.entity_type, e.name, e.body, e.source, e.content_hash, ' +
  'e.valid_at, e.invalid_at, e.created_at, e.expired_at';

/** A row as a list in the order of `EPISODE_COLUMNS`, which the driver hands over sooner than an object. */
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

/** Texts by the form of the query: putting one together costs more than running it. */
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

/** Two queries of one form differ only in their values. */
function formOf({ filters, order, direction, moment, limit }: ListQuery): string {
  let form = `${order.on === 'column' ? order.column : '?'} ${direction} ${moment ? 'then' : 'now'} ${limit === 1 ? 'one' : 'many'}`;
  for (const filter of filters) {
    const { test } = filter;
    form += ` ${filter.on === 'column' ? filter.column : '?'} ${test.op}`;
    if ('values' in test) form += test.values.length;
    else if ('value' in test) form += typeof test.value;
  }
  return form;
}

/** The values in the order of their marks in the text. */
function listValues({ groupId, filters, order, moment, limit, offset }: ListQuery): SqlValue[] {
  const [first] = filters;
  const entering = first !== undefined && entersByField(first);
  const values: SqlValue[] = [groupId];
  if (entering) {
    addValues(first, values);
    addValues(first, values);
    values.push(groupId);
  }
  if (moment) values.push(...versionCondition(moment, 'episode').values);
  for (let index = entering ? 1 : 0; index < filters.length; index += 1) addValues(filters[index], values);
  if (order.on === 'field') values.push(order.field);
  values.push(limit, offset);
  return values;
}

function addValues(filter: CheckedFilter | undefined, to: SqlValue[]): void {
  if (!filter) return;
  const { test } = filter;
  if (filter.on === 'field') to.push(filter.field);
  if ('values' in test) to.push(...test.values);
  else if ('value' in test) to.push(test.value);
}

function entersByField(filter: CheckedFilter): boolean {
  return filter.on === 'field' && filter.test.op === 'in' && filter.test.values.length === 1;
}

function buildSql({ filters, order, direction, moment, limit }: ListQuery): string {
  const [first, ...rest] = filters;
  const entering = first !== undefined && entersByField(first);
  const conditions = [
    versionCondition(moment, 'episode'),
    ...(entering ? rest : filters).map(filterCondition),
  ].map(({ text }) => ` AND ${text}`);
  const from = `${entering ? BY_VALUE : 'episode e'} ${limit === 1 ? '' : GROUP}WHERE e.group_id = ?${conditions.join('')}`;
  const page =
    `ORDER BY ${orderSql(order).text} ${direction === 'asc' ? 'ASC' : 'DESC'}, e.created_at DESC, e.seq DESC ` +
    'LIMIT CAST(? AS INTEGER) OFFSET CAST(? AS INTEGER)';
  // The one is found first, and then read: sorting would carry every body along.
  return limit === 1
    ? `SELECT ${EPISODE_COLUMNS} FROM episode e ${GROUP}WHERE e.seq = (SELECT e.seq FROM ${from} ${page})`
    : `SELECT ${EPISODE_COLUMNS} FROM ${from} ${page}`;
}

const GROUP = 'JOIN episode_group g ON g.id = e.group_id ';

/**
 * CROSS JOIN keeps SQLite from turning the order around: one value in the field index is the narrow way in. Of what
 * is not in that index yet every version is looked at. Takes group, field and value, then field and value again.
 */
const BY_VALUE =
  `(SELECT seq FROM field_value WHERE group_id = ? AND field = ? AND value = ? UNION ALL ${LATE_WITH_VALUE}) f ` +
  'CROSS JOIN episode e ON e.seq = f.seq';

function filterCondition(filter: CheckedFilter): Sql<SqlValue> {
  if (filter.on === 'column') return testSql(`e.${filter.column}`, filter.test);
  const { field, test } = filter;
  const negated = test.op === 'absent' || test.op === 'notIn';
  const value = valueTest(test);
  return {
    text: `${negated ? 'NOT ' : ''}EXISTS (SELECT 1 FROM episode_field x WHERE x.seq = e.seq AND x.field = ? AND ${value.text})`,
    values: [field, ...value.values],
  };
}

/** For a field the negation is outside, since an entity may hold several values of it. */
function valueTest(test: CheckedTest): Sql<SqlValue> {
  switch (test.op) {
    case 'absent':
    case 'present':
      return { text: '1', values: [] };
    case 'notIn':
      return testSql('x.value', { op: 'in', values: test.values });
    default:
      return testSql('x.value', test);
  }
}

function testSql(operand: string, test: CheckedTest): Sql<SqlValue> {
  switch (test.op) {
    case 'absent':
      return { text: `${operand} IS NULL`, values: [] };
    case 'present':
      return { text: `${operand} IS NOT NULL`, values: [] };
    case 'in':
    case 'notIn': {
      const marks = test.values.map(() => '?').join(', ');
      return { text: `${operand} ${test.op === 'in' ? 'IN' : 'NOT IN'} (${marks})`, values: test.values };
    }
    default: {
      // SQLite sorts every number before every text; without this a text would be "greater" than any number.
      const kind = typeof test.value === 'number' ? "IN ('integer', 'real')" : "= 'text'";
      return {
        text: `(${operand} ${COMPARISONS[test.op]} ? AND typeof(${operand}) ${kind})`,
        values: [test.value],
      };
    }
  }
}

function orderSql(order: CheckedOrder): Sql<SqlValue> {
  if (order.on === 'column') return { text: `e.${order.column}`, values: [] };
  return {
    text: '(SELECT min(o.value) FROM episode_field o WHERE o.seq = e.seq AND o.field = ?)',
    values: [order.field],
  };
}
