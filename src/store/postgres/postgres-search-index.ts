import type { Moment } from '../as-of.ts';
import type { SearchDocument, SearchIndex } from '../search/search-index.ts';
import { joinSql, type Sql } from '../sql.ts';
import { currentOrPast } from './list-query.ts';
import type { Session, SqlValue } from './postgres-database.ts';

type Fragment = Sql<SqlValue>;

/** The search tables as seen by one search: these groups, at this moment. */
export class PostgresSearchIndex implements SearchIndex {
  readonly #session: Session;
  readonly #groupIds: readonly number[] | undefined;
  readonly #moment: Moment | undefined;

  constructor(session: Session, groupIds: readonly number[] | undefined, moment: Moment | undefined) {
    this.#session = session;
    this.#groupIds = groupIds;
    this.#moment = moment;
  }

  /**
   * One part for each set, all in one query, so that the planner sees each term: it walks back from the newest for a
   * frequent one, and enters the index of terms for a rare one. The keys come as one text a set, since a row for each
   * would take the driver longer than the search takes the server.
   */
  async matches(sets: readonly (readonly string[])[], limit: number): Promise<number[][]> {
    const parts = sets.map((terms, position) => {
      const { text, values } = this.#moment ? this.#past(terms, this.#moment) : this.#current(terms);
      const keys = `ARRAY(${text} LIMIT ${Math.trunc(limit)})`;
      return { text: `SELECT ${position} AS position, array_to_string(${keys}, ' ') AS keys`, values };
    });
    const rows = await this.#session.query<{ position: number; keys: string }>(joinSql(parts, ' UNION ALL '));
    const matches: number[][] = sets.map(() => []);
    for (const { position, keys } of rows) matches[position] = keys === '' ? [] : keys.split(' ').map(Number);
    return matches;
  }

  async documents(keys: readonly number[]): Promise<SearchDocument[]> {
    if (keys.length === 0) return [];
    return this.#session.query<SearchDocument>({
      text: 'SELECT seq AS key, head_terms AS head, text_terms AS text FROM guardkit.episode WHERE seq = ANY(?::bigint[])',
      values: [keys],
    });
  }

  async lastKey(): Promise<number> {
    const [row] = await this.#session.query<{ key: number | null }>({
      text: 'SELECT max(seq) AS key FROM guardkit.episode',
      values: [],
    });
    return row?.key ?? 0;
  }

  #current(terms: readonly string[]): Fragment {
    const where = this.#holds(terms);
    return {
      text: `SELECT seq FROM guardkit.search_current WHERE ${where.text} ORDER BY seq DESC`,
      values: where.values,
    };
  }

  #past(terms: readonly string[], moment: Moment): Fragment {
    const where = this.#holds(terms);
    const condition = currentOrPast(moment);
    return {
      text:
        'SELECT e.seq FROM guardkit.episode e WHERE e.seq IN (' +
        `SELECT seq FROM guardkit.search_current WHERE ${where.text} UNION ALL ` +
        `SELECT seq FROM guardkit.search_past WHERE ${where.text}) AND ${condition.text} ORDER BY e.seq DESC`,
      values: [...where.values, ...where.values, ...condition.values],
    };
  }

  #holds(terms: readonly string[]): Fragment {
    const conditions: Fragment[] = [];
    if (terms.length > 0) conditions.push({ text: 'terms @@ ?::tsquery', values: [allOf(terms)] });
    if (this.#groupIds) conditions.push({ text: 'group_id = ANY(?::integer[])', values: [this.#groupIds] });
    return conditions.length === 0 ? { text: 'true', values: [] } : joinSql(conditions, ' AND ');
  }
}

/** A quoted string is always one term to a tsquery, whatever is in it. */
function allOf(terms: readonly string[]): string {
  return terms.map((term) => `'${term.replace(/['\\]/g, '$&$&')}'`).join(' & ');
}
