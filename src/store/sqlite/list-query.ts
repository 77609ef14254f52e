import type { Moment } from '../as-of.ts';
import type { CheckedFilter, CheckedOrder, CheckedTest } from '../check-filter.ts';

export type SqlValue = string | number;

export interface Sql {
  text: string;
  values: SqlValue[];
}

/** The columns of an episode as `EpisodeRow` names them; `e` is the episode, `g` its group. */
export const EPISODE_COLUMNS =
  'e.uuid, g.name AS group_name, e.entity_id, e.entity_type, e.name, e.body, e.source, e.content_hash, ' +
  'e.valid_at, e.invalid_at, e.created_at, e.expired_at';

/** Later than any date; stands for "now" on an axis that a read leaves open. */
const END_OF_TIME = 8_640_000_000_000_000;

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

export function listSql(query: ListQuery): Sql {
  const [first, ...rest] = query.filters;
  const source = first ? enterByField(first, query.groupId) : undefined;
  const conditions = [
    versionCondition(query.moment),
    ...(source ? rest : query.filters).map(filterCondition),
  ];
  const order = orderSql(query.order);
  const direction = query.direction.toUpperCase();
  return join([
    { text: `SELECT ${EPISODE_COLUMNS} FROM`, values: [] },
    source ?? wholeGroup(query.groupId),
    ...conditions.map(({ text, values }) => ({ text: `AND ${text}`, values })),
    {
      text: `ORDER BY ${order.text} ${direction}, e.created_at DESC, e.seq DESC LIMIT ? OFFSET ?`,
      values: order.values,
    },
    { text: '', values: [query.limit, query.offset] },
  ]);
}

function join(parts: readonly Sql[]): Sql {
  return { text: parts.map((part) => part.text).join(' '), values: parts.flatMap((part) => part.values) };
}

/** CROSS JOIN keeps SQLite from turning the order around: one value in the field index is the narrow way in. */
function enterByField(filter: CheckedFilter, groupId: number): Sql | undefined {
  if (filter.on !== 'field' || filter.test.op !== 'in' || filter.test.values.length !== 1) return undefined;
  return {
    text:
      'episode_field f CROSS JOIN episode e ON e.seq = f.seq JOIN episode_group g ON g.id = e.group_id ' +
      'WHERE f.group_id = ? AND f.field = ? AND f.value = ?',
    values: [groupId, filter.field, ...filter.test.values],
  };
}

function wholeGroup(groupId: number): Sql {
  return {
    text: 'episode e JOIN episode_group g ON g.id = e.group_id WHERE e.group_id = ?',
    values: [groupId],
  };
}

/** Holds for the one version of an entity that was in force at a moment. */
export function versionCondition(moment: Moment | undefined): Sql {
  if (!moment) return { text: 'e.expired_at IS NULL', values: [] };
  const known = moment.knownAt ?? END_OF_TIME;
  const valid = moment.validAt ?? END_OF_TIME;
  // What ended a version was not known before it expired.
  const inForce = (alias: string) =>
    `${alias}.created_at <= ? AND ${alias}.valid_at <= ? AND ` +
    `(${alias}.expired_at IS NULL OR ${alias}.expired_at > ? OR ${alias}.invalid_at > ?)`;
  return {
    text:
      `${inForce('e')} AND NOT EXISTS (SELECT 1 FROM episode later WHERE later.group_id = e.group_id ` +
      `AND later.entity_id = e.entity_id AND (later.created_at, later.seq) > (e.created_at, e.seq) AND ${inForce('later')})`,
    values: [known, valid, known, valid, known, valid, known, valid],
  };
}

function filterCondition(filter: CheckedFilter): Sql {
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
function valueTest(test: CheckedTest): Sql {
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

function testSql(operand: string, test: CheckedTest): Sql {
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

function orderSql(order: CheckedOrder): Sql {
  if (order.on === 'column') return { text: `e.${order.column}`, values: [] };
  return {
    text: '(SELECT min(o.value) FROM episode_field o WHERE o.seq = e.seq AND o.field = ?)',
    values: [order.field],
  };
}
