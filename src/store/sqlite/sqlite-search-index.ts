import type { Moment } from '../as-of.ts';
import type { SearchDocument, SearchIndex } from '../search/search-index.ts';
import type { Sql } from '../sql.ts';
import { versionCondition } from '../version-condition.ts';
import { groupKey, termKey } from './indexer.ts';
import type { StatementCache } from './statement-cache.ts';

/** The full-text tables as seen by one search: these groups, at this moment. */
export class SqliteSearchIndex implements SearchIndex {
  readonly #statements: StatementCache;
  readonly #groupIds: readonly number[];
  readonly #moment: Moment | undefined;

  constructor(statements: StatementCache, groupIds: readonly number[], moment: Moment | undefined) {
    this.#statements = statements;
    this.#groupIds = groupIds;
    this.#moment = moment;
  }

  async matches(sets: readonly (readonly string[])[], limit: number): Promise<number[][]> {
    return sets.map((terms) => {
      const { text, values } = matchSql(this.#expression(terms), this.#moment);
      return this.#statements.keys(`${text} LIMIT CAST(? AS INTEGER)`).all(...values, limit);
    });
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

function matchSql(expression: string, moment: Moment | undefined): Sql<string | number> {
  if (!moment) {
    return {
      text: 'SELECT rowid FROM search_current WHERE search_current MATCH ? ORDER BY rowid DESC',
      values: [expression],
    };
  }
  const condition = versionCondition(moment, 'episode');
  return {
    text:
      'SELECT e.seq FROM episode e WHERE e.seq IN (' +
      'SELECT rowid FROM search_current WHERE search_current MATCH ? UNION ALL ' +
      `SELECT rowid FROM search_past WHERE search_past MATCH ?) AND ${condition.text} ORDER BY e.seq DESC`,
    values: [expression, expression, ...condition.values],
  };
}
