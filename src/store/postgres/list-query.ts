import type { Moment } from '../as-of.ts';
import { versionCondition } from '../as-of.ts';
import {
  type CheckedFilter,
  type CheckedOrder,
  type CheckedTest,
  isEntry,
  isTimeColumn,
} from '../check-filter.ts';
import type { FieldValue } from '../prepare-episode.ts';
import { joinSql, type Sql } from '../sql.ts';
import type { SqlValue } from './postgres-database.ts';

/** The columns of an episode as `EpisodeRow` names them; `e` is the episode, `g` its group. */
export const EPISODE_COLUMNS =
  'e.uuid, g.name AS group_name, e.entity_id, e.entity_type, e.name, e.body, e.source, e.content_hash, ' +
  'e.valid_at, e.invalid_at, e.created_at, e.expired_at';

export const FROM_EPISODES = 'guardkit.episode e JOIN guardkit.episode_group g ON g.id = e.group_id';

const COMPARISONS = { lt: '<', lte: '<=', gt: '>', gte: '>=' } as const;

type Fragment = Sql<SqlValue>;

export interface ListQuery {
  groupId: number;
  filters: readonly CheckedFilter[];
  order: CheckedOrder;
  direction: 'asc' | 'desc';
  moment: Moment | undefined;
  limit: number | undefined;
  offset: number;
}

export function listSql(query: ListQuery): Fragment {
  const [first, ...rest] = query.filters;
  const entry = first && enterByField(first, query.groupId);
  const conditions: Fragment[] = [
    entry?.condition ?? { text: 'e.group_id = ?', values: [query.groupId] },
    currentOrPast(query.moment),
    ...(entry ? rest : query.filters).map(filterCondition),
  ];
  const order = orderSql(query.order, query.direction.toUpperCase());
  return joinSql<SqlValue>([
    { text: `SELECT ${EPISODE_COLUMNS} FROM ${FROM_EPISODES} ${entry?.join ?? ''}`, values: [] },
    order.join,
    { text: 'WHERE', values: [] },
    joinSql(conditions, ' AND '),
    { text: `ORDER BY ${order.by}, e.created_at DESC, e.seq DESC LIMIT ? OFFSET ?`, values: [] },
    { text: '', values: [query.limit ?? null, query.offset] },
  ]);
}

export function currentOrPast(moment: Moment | undefined): Fragment {
  return versionCondition(moment, 'guardkit.episode');
}

/** One value in the field index narrows most. */
function enterByField(
  filter: CheckedFilter,
  groupId: number,
): { join: string; condition: Fragment } | undefined {
  if (!isEntry(filter)) return undefined;
  const [value] = filter.test.values;
  if (value === undefined) return undefined;
  const is = holdsValue('f', filter.field, value);
  return {
    join: 'JOIN guardkit.episode_field f ON f.seq = e.seq',
    condition: { text: `f.group_id = ? AND ${is.text}`, values: [groupId, ...is.values] },
  };
}

/** Written so that the field indexes apply. */
export function holdsValue(alias: string, field: string, value: FieldValue): Fragment {
  if (typeof value === 'number')
    return { text: `${alias}.field = ? AND ${alias}.number = ?`, values: [field, exactNumber(value)] };
  return {
    text: `${alias}.field = ? AND left(${alias}.text, 256) = left(?, 256) AND ${alias}.text = ?`,
    values: [field, value, value],
  };
}

/** SQL condition for an episode `e` that matches. */
export function filterCondition(filter: CheckedFilter): Fragment {
  if (filter.on === 'column') {
    const type = isTimeColumn(filter.column) ? 'bigint' : 'text';
    return columnTest(`e.${filter.column}`, type, filter.test);
  }
  const { field, test } = filter;
  const negated = test.op === 'absent' || test.op === 'notIn';
  const value = valueTest(test);
  return {
    text: `${negated ? 'NOT ' : ''}EXISTS (SELECT 1 FROM guardkit.episode_field x WHERE x.seq = e.seq AND x.field = ? AND ${value.text})`,
    values: [field, ...value.values],
  };
}

/** For a field the negation is outside, since an entity may have several values. */
function valueTest(test: CheckedTest): Fragment {
  switch (test.op) {
    case 'absent':
    case 'present':
      return { text: 'true', values: [] };
    case 'in':
    case 'notIn': {
      const numbers = test.values.filter((value) => typeof value === 'number').map(exactNumber);
      const texts = test.values.filter((value) => typeof value === 'string');
      return {
        text: '(x.number = ANY(?::double precision[]) OR x.text = ANY(?::text[]))',
        values: [numbers, texts],
      };
    }
    default:
      return typeof test.value === 'number'
        ? { text: `x.number ${COMPARISONS[test.op]} ?`, values: [exactNumber(test.value)] }
        : { text: `x.text ${COMPARISONS[test.op]} ?`, values: [test.value] };
  }
}

function columnTest(operand: string, type: 'bigint' | 'text', test: CheckedTest): Fragment {
  switch (test.op) {
    case 'absent':
      return { text: `${operand} IS NULL`, values: [] };
    case 'present':
      return { text: `${operand} IS NOT NULL`, values: [] };
    case 'in':
      return { text: `${operand} = ANY(?::${type}[])`, values: [test.values] };
    case 'notIn':
      return { text: `${operand} <> ALL(?::${type}[])`, values: [test.values] };
    default:
      return { text: `${operand} ${COMPARISONS[test.op]} ?`, values: [test.value] };
  }
}

/** PostgreSQL treats NaN as equal to itself and above every number; it should match nothing. */
function exactNumber(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}

/** Entities without the field come first, then numbers, then texts; of several values the smallest counts. */
function orderSql(order: CheckedOrder, direction: string): { join: Fragment; by: string } {
  if (order.on === 'column') return { join: { text: '', values: [] }, by: `e.${order.column} ${direction}` };
  const keys = [
    'CASE WHEN o.number IS NOT NULL THEN 1 WHEN o.text IS NOT NULL THEN 2 ELSE 0 END',
    'o.number',
    'CASE WHEN o.number IS NULL THEN o.text END',
  ];
  return {
    join: {
      text:
        'LEFT JOIN LATERAL (SELECT min(number) AS number, min(text) AS text ' +
        'FROM guardkit.episode_field WHERE seq = e.seq AND field = ?) o ON true',
      values: [order.field],
    },
    by: keys.map((key) => `${key} ${direction}`).join(', '),
  };
}
