import type { Moment } from '../as-of.ts';
import type { CheckedFilter, CheckedOrder, CheckedTest } from '../check-filter.ts';
import { joinSql, type Sql } from '../sql.ts';
import { versionCondition } from '../version-condition.ts';

type SqlValue = string | number;

/** The columns of an episode as `EpisodeRow` names them; `e` is the episode, `g` its group. */
export const EPISODE_COLUMNS =
  'e.uuid, g.name AS group_name, e.entity_id, e.entity_type, e.name, e.body, e.source, e.content_hash, ' +
  'e.valid_at, e.invalid_at, e.created_at, e.expired_at';

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
  const { text } = buildSql(query);
  if (texts.size >= MAX_TEXTS) texts.clear();
  texts.set(form, text);
  return { text, values: listValues(query) };
}

/** Two queries of one form differ only in their values. */
function formOf({ filters, order, direction, moment }: ListQuery): string {
  let form = `${order.on === 'column' ? order.column : '?'} ${direction} ${moment ? 'then' : 'now'}`;
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
  const values: SqlValue[] = entering ? enterValues(first, groupId) : [groupId];
  if (moment) values.push(...versionCondition(moment, 'episode').values);
  for (const filter of entering ? filters.slice(1) : filters) values.push(...filterValues(filter));
  if (order.on === 'field') values.push(order.field);
  values.push(limit, offset);
  return values;
}

function filterValues(filter: CheckedFilter): SqlValue[] {
  const { test } = filter;
  const tested = 'values' in test ? test.values : 'value' in test ? [test.value] : [];
  return filter.on === 'field' ? [filter.field, ...tested] : tested;
}

function entersByField(filter: CheckedFilter): boolean {
  return filter.on === 'field' && filter.test.op === 'in' && filter.test.values.length === 1;
}

function buildSql(query: ListQuery): Sql<SqlValue> {
  const [first, ...rest] = query.filters;
  const source = first ? enterByField(first, query.groupId) : undefined;
  const conditions = [
    versionCondition(query.moment, 'episode'),
    ...(source ? rest : query.filters).map(filterCondition),
  ];
  const order = orderSql(query.order);
  const direction = query.direction.toUpperCase();
  return joinSql<SqlValue>([
    { text: `SELECT ${EPISODE_COLUMNS} FROM`, values: [] },
    source ?? wholeGroup(query.groupId),
    ...conditions.map(({ text, values }) => ({ text: `AND ${text}`, values })),
    {
      text: `ORDER BY ${order.text} ${direction}, e.created_at DESC, e.seq DESC LIMIT CAST(? AS INTEGER) OFFSET CAST(? AS INTEGER)`,
      values: order.values,
    },
    { text: '', values: [query.limit, query.offset] },
  ]);
}

/**
 * CROSS JOIN keeps SQLite from turning the order around: one value in the field index is the narrow way in. What is
 * not in that index yet is looked at one by one; it is little, and never in both.
 */
function enterByField(filter: CheckedFilter, groupId: number): Sql<SqlValue> | undefined {
  if (!entersByField(filter)) return undefined;
  return {
    text:
      `(${WITH_VALUE}) f CROSS JOIN episode e ON e.seq = f.seq ` +
      'JOIN episode_group g ON g.id = e.group_id WHERE e.group_id = ?',
    values: enterValues(filter, groupId),
  };
}

/** The versions of one group that hold a value in a field: group, field and value, then field and value again. */
const WITH_VALUE =
  'SELECT seq FROM field_value WHERE group_id = ? AND field = ? AND value = ? UNION ALL ' +
  'SELECT x.seq FROM index_pending p CROSS JOIN episode_field x ON x.seq = p.seq ' +
  'WHERE p.relations IS NOT NULL AND x.field = ? AND x.value = ?';

function enterValues(filter: CheckedFilter, groupId: number): SqlValue[] {
  const held = filterValues(filter);
  return [groupId, ...held, ...held, groupId];
}

function wholeGroup(groupId: number): Sql<SqlValue> {
  return {
    text: 'episode e JOIN episode_group g ON g.id = e.group_id WHERE e.group_id = ?',
    values: [groupId],
  };
}

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
