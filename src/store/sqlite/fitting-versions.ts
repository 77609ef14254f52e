import type { Moment } from '../as-of.ts';
import { type CheckedFilter, isEntry } from '../check-filter.ts';
import { joinSql, type Sql } from '../sql.ts';
import { versionCondition } from '../version-condition.ts';
import { filterSql } from './list-query.ts';
import type { StatementCache } from './statement-cache.ts';

type Fragment = Sql<string | number>;

/**
 * The versions that fit the filters of a search. Only what is in the search tables is asked for, and that is in the
 * index of fields as well, since a search brings both up to date.
 */
export class FittingVersions {
  readonly #statements: StatementCache;
  readonly #groupIds: readonly number[];
  readonly #moment: Moment | undefined;
  readonly #filters: readonly CheckedFilter[];

  constructor(
    statements: StatementCache,
    groupIds: readonly number[],
    moment: Moment | undefined,
    filters: readonly CheckedFilter[],
  ) {
    this.#statements = statements;
    this.#groupIds = groupIds;
    this.#moment = moment;
    this.#filters = filters;
  }

  /** As in `SearchFilter`. */
  few(limit: number): number[] | undefined {
    const [first, ...rest] = this.#filters;
    if (first === undefined || !isEntry(first)) return undefined;
    const conditions = [
      this.#holdsOne('n', first.field, first.test.values),
      versionCondition(this.#moment, 'episode'),
      ...this.#conditions(rest, 'n.seq'),
    ];
    const where = joinSql<string | number>(conditions, ' AND ');
    // CROSS JOIN keeps SQLite from turning the order around.
    const keys = this.#statements
      .keys(
        `SELECT n.seq FROM field_value n CROSS JOIN episode e ON e.seq = n.seq WHERE ${where.text} ` +
          'ORDER BY n.seq DESC LIMIT CAST(? AS INTEGER)',
      )
      .all(...where.values, limit + 1);
    return keys.length > limit ? undefined : keys;
  }

  among(keys: readonly number[]): number[] {
    const where = this.condition('j.value');
    return this.#statements
      .keys(`SELECT j.value FROM json_each(?) j WHERE ${where.text}`)
      .all(JSON.stringify(keys), ...where.values);
  }

  /** Holds for a version that fits, given by an expression for its number; `e` and `v` are taken. */
  condition(seq: string): Fragment {
    return joinSql(this.#conditions(this.#filters, seq), ' AND ');
  }

  #conditions(filters: readonly CheckedFilter[], seq: string): Fragment[] {
    return filters.map((filter) => {
      // The index answers without the row, which is much larger.
      if (filter.on === 'field' && filter.test.op === 'in') {
        const { text, values } = this.#holdsOne('v', filter.field, filter.test.values);
        return { text: `EXISTS (SELECT 1 FROM field_value v WHERE ${text} AND v.seq = ${seq})`, values };
      }
      const { text, values } = filterSql(filter);
      return { text: `EXISTS (SELECT 1 FROM episode e WHERE e.seq = ${seq} AND ${text})`, values };
    });
  }

  #holdsOne(alias: string, field: string, values: readonly (string | number)[]): Fragment {
    return {
      text: `${alias}.group_id IN (${marks(this.#groupIds)}) AND ${alias}.field = ? AND ${alias}.value IN (${marks(values)})`,
      values: [...this.#groupIds, field, ...values],
    };
  }
}

function marks(values: readonly unknown[]): string {
  return values.map(() => '?').join(', ');
}
