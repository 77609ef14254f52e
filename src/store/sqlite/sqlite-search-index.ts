import { type Moment, versionCondition } from '../as-of.ts';
import { type CheckedFilter, isEntry } from '../check-filter.ts';
import type { SearchDocument, SearchFilter, SearchIndex } from '../search/search-index.ts';
import { joinSql, type Sql } from '../sql.ts';
import { groupKey, termKey } from './indexer.ts';
import { filterSql } from './list-query.ts';
import type { StatementCache } from './statements.ts';

interface Scope {
  groupIds: readonly number[];
  moment: Moment | undefined;
  filters: readonly CheckedFilter[];
}

/** The full-text tables as one search sees them: these groups, at this moment, matching the filters. */
export class SqliteSearchIndex implements SearchIndex {
  readonly filter: SearchFilter | undefined;
  readonly #statements: StatementCache;
  readonly #groupIds: readonly number[];
  readonly #moment: Moment | undefined;

  constructor(statements: StatementCache, { groupIds, moment, filters }: Scope) {
    this.#statements = statements;
    this.#groupIds = groupIds;
    this.#moment = moment;
    this.filter = filters.length > 0 ? this.#makeFilter(filters) : undefined;
  }

  async matches(sets: readonly (readonly string[])[], limit: number): Promise<number[][]> {
    return this.#matches(sets, limit);
  }

  #matches(sets: readonly (readonly string[])[], limit: number, fitting?: MatchingVersions): number[][] {
    return sets.map((terms) => {
      const { text, values } = matchSql(this.#expression(terms), this.#moment, fitting);
      return this.#statements.keys(`${text} LIMIT CAST(? AS INTEGER)`).all(...values, limit);
    });
  }

  #makeFilter(filters: readonly CheckedFilter[]): SearchFilter {
    const fitting = new MatchingVersions(this.#statements, this.#groupIds, this.#moment, filters);
    return {
      few: async (limit) => fitting.few(limit),
      among: async (keys) => fitting.among(keys),
      matches: async (sets, limit) => this.#matches(sets, limit, fitting),
    };
  }

  async documents(keys: readonly number[]): Promise<SearchDocument[]> {
    return this.#statements
      .get<SearchDocument>(
        'SELECT t.seq AS key, t.head, t.text FROM json_each(?) j CROSS JOIN search_terms t ON t.seq = j.value',
      )
      .all(JSON.stringify(keys));
  }

  async lastKey(): Promise<number> {
    return this.#statements.keys('SELECT coalesce(max(seq), 0) FROM episode').get() ?? 0;
  }

  /** All terms, in any of the groups. */
  #expression(terms: readonly string[]): string {
    return this.#groupIds
      .map((id) => {
        const keys = terms.length === 0 ? [groupKey(id)] : terms.map((term) => termKey(id, term));
        return `(${keys.map(quote).join(' AND ')})`;
      })
      .join(' OR ');
  }
}

/** FTS5 always reads a quoted string as one term. */
function quote(term: string): string {
  return `"${term.replaceAll('"', '""')}"`;
}

function matchSql(
  expression: string,
  moment: Moment | undefined,
  fitting: MatchingVersions | undefined,
): Sql<string | number> {
  const fits = (seq: string) => {
    const condition = fitting?.condition(seq);
    return condition
      ? { text: ` AND ${condition.text}`, values: condition.values }
      : { text: '', values: [] };
  };
  if (!moment) {
    const condition = fits('s.rowid');
    return {
      text: `SELECT s.rowid FROM search_current s WHERE search_current MATCH ?${condition.text} ORDER BY s.rowid DESC`,
      values: [expression, ...condition.values],
    };
  }
  const version = versionCondition(moment, 'episode');
  const condition = fits('m.seq');
  return {
    text:
      'SELECT m.seq FROM (SELECT e.seq FROM episode e WHERE e.seq IN (' +
      'SELECT rowid FROM search_current WHERE search_current MATCH ? UNION ALL ' +
      `SELECT rowid FROM search_past WHERE search_past MATCH ?) AND ${version.text}) m ` +
      `WHERE true${condition.text} ORDER BY m.seq DESC`,
    values: [expression, expression, ...version.values, ...condition.values],
  };
}

type Fragment = Sql<string | number>;

/**
 * The versions that match the filters of a search. The search tables and the field index are both up to date by then,
 * since a search updates both.
 */
class MatchingVersions {
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
    // CROSS JOIN keeps SQLite from reordering the join.
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

  /** SQL condition for a matching version, given an expression for its number. Uses the aliases `e` and `v`. */
  condition(seq: string): Fragment {
    return joinSql(this.#conditions(this.#filters, seq), ' AND ');
  }

  #conditions(filters: readonly CheckedFilter[], seq: string): Fragment[] {
    return filters.map((filter) => {
      // The index answers without reading the much larger row.
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
