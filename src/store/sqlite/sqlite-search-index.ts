import type { Moment } from '../as-of.ts';
import type { CheckedFilter } from '../check-filter.ts';
import type { SearchDocument, SearchFilter, SearchIndex } from '../search/search-index.ts';
import type { Sql } from '../sql.ts';
import { versionCondition } from '../version-condition.ts';
import { FittingVersions } from './fitting-versions.ts';
import { groupKey, termKey } from './indexer.ts';
import type { StatementCache } from './statement-cache.ts';

interface Scope {
  groupIds: readonly number[];
  moment: Moment | undefined;
  filters: readonly CheckedFilter[];
}

/** The full-text tables as seen by one search: these groups, at this moment, and what fits of them. */
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

  #matches(sets: readonly (readonly string[])[], limit: number, fitting?: FittingVersions): number[][] {
    return sets.map((terms) => {
      const { text, values } = matchSql(this.#expression(terms), this.#moment, fitting);
      return this.#statements.keys(`${text} LIMIT CAST(? AS INTEGER)`).all(...values, limit);
    });
  }

  #makeFilter(filters: readonly CheckedFilter[]): SearchFilter {
    const fitting = new FittingVersions(this.#statements, this.#groupIds, this.#moment, filters);
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

  /** All of the terms, in any one of the groups. */
  #expression(terms: readonly string[]): string {
    return this.#groupIds
      .map((id) => {
        const keys = terms.length === 0 ? [groupKey(id)] : terms.map((term) => termKey(id, term));
        return `(${keys.map(quote).join(' AND ')})`;
      })
      .join(' OR ');
  }
}

/** A quoted string is always one term to FTS5, whatever is in it. */
function quote(term: string): string {
  return `"${term.replaceAll('"', '""')}"`;
}

function matchSql(
  expression: string,
  moment: Moment | undefined,
  fitting: FittingVersions | undefined,
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
