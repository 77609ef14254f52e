import type { Moment } from '../as-of.ts';
import { type CheckedFilter, isEntry } from '../check-filter.ts';
import type { SearchDocument, SearchFilter, SearchIndex } from '../search/search-index.ts';
import { joinSql, type Sql } from '../sql.ts';
import { currentOrPast, filterCondition, holdsValue } from './list-query.ts';
import type { Session, SqlValue } from './postgres-database.ts';

type Fragment = Sql<SqlValue>;

interface Scope {
  /** Undefined means all groups. */
  groupIds: readonly number[] | undefined;
  moment: Moment | undefined;
  filters: readonly CheckedFilter[];
}

/** The search tables as one search sees them: these groups, at this moment, matching the filters. */
export class PostgresSearchIndex implements SearchIndex {
  readonly filter: SearchFilter | undefined;
  readonly #session: Session;
  readonly #groupIds: readonly number[] | undefined;
  readonly #moment: Moment | undefined;

  constructor(session: Session, { groupIds, moment, filters }: Scope) {
    this.#session = session;
    this.#groupIds = groupIds;
    this.#moment = moment;
    this.filter = filters.length > 0 ? this.#makeFilter(filters) : undefined;
  }

  matches(sets: readonly (readonly string[])[], limit: number): Promise<number[][]> {
    return this.#matches(sets, limit, []);
  }

  /**
   * One part per set, all in one query, so that the planner sees each term: it scans back from the newest for a
   * frequent term and enters the term index for a rare one. The keys come as one text per set, since a row for each
   * would take the driver longer than the search takes the server.
   */
  async #matches(
    sets: readonly (readonly string[])[],
    limit: number,
    filters: readonly CheckedFilter[],
  ): Promise<number[][]> {
    const parts = sets.map((terms, position) => {
      const { text, values } = this.#moment
        ? this.#past(terms, this.#moment, filters)
        : this.#current(terms, filters);
      const keys = `ARRAY(${text} LIMIT ${Math.trunc(limit)})`;
      return { text: `SELECT ${position} AS position, array_to_string(${keys}, ' ') AS keys`, values };
    });
    const rows = await this.#session.query<{ position: number; keys: string }>(joinSql(parts, ' UNION ALL '));
    const matches: number[][] = sets.map(() => []);
    for (const { position, keys } of rows) matches[position] = keys === '' ? [] : keys.split(' ').map(Number);
    return matches;
  }

  #makeFilter(filters: readonly CheckedFilter[]): SearchFilter {
    return {
      few: (limit) => this.#few(filters, limit),
      among: (keys) => this.#among(filters, keys),
      matches: (sets, limit) => this.#matches(sets, limit, filters),
    };
  }

  async #few(filters: readonly CheckedFilter[], limit: number): Promise<number[] | undefined> {
    const [first, ...rest] = filters;
    if (first === undefined || !isEntry(first)) return undefined;
    const [value] = first.test.values;
    if (value === undefined) return undefined;
    const conditions = [
      { text: 'f.group_id = ANY(?::integer[])', values: [this.#groupIds ?? []] },
      holdsValue('f', first.field, value),
      currentOrPast(this.#moment),
      ...rest.map(filterCondition),
    ];
    const where = joinSql<SqlValue>(conditions, ' AND ');
    const rows = await this.#session.query<{ key: number }>({
      text:
        // An entity may have the value twice.
        'SELECT DISTINCT e.seq AS key FROM guardkit.episode_field f JOIN guardkit.episode e ON e.seq = f.seq ' +
        `WHERE ${where.text} ORDER BY e.seq DESC LIMIT ${Math.trunc(limit) + 1}`,
      values: where.values,
    });
    return rows.length > limit ? undefined : rows.map(({ key }) => key);
  }

  async #among(filters: readonly CheckedFilter[], keys: readonly number[]): Promise<number[]> {
    if (keys.length === 0) return [];
    const where = joinSql<SqlValue>(
      [{ text: 'e.seq = ANY(?::bigint[])', values: [keys] }, ...filters.map(filterCondition)],
      ' AND ',
    );
    const rows = await this.#session.query<{ key: number }>({
      text: `SELECT e.seq AS key FROM guardkit.episode e WHERE ${where.text}`,
      values: where.values,
    });
    return rows.map(({ key }) => key);
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

  #current(terms: readonly string[], filters: readonly CheckedFilter[]): Fragment {
    const where = this.#holds(terms);
    if (filters.length === 0) {
      return {
        text: `SELECT seq FROM guardkit.search_current WHERE ${where.text} ORDER BY seq DESC`,
        values: where.values,
      };
    }
    const fits = joinSql(filters.map(filterCondition), ' AND ');
    return {
      text:
        'SELECT s.seq FROM guardkit.search_current s JOIN guardkit.episode e ON e.seq = s.seq ' +
        `WHERE ${this.#holds(terms, 's.').text} AND ${fits.text} ORDER BY s.seq DESC`,
      values: [...where.values, ...fits.values],
    };
  }

  #past(terms: readonly string[], moment: Moment, filters: readonly CheckedFilter[]): Fragment {
    const where = this.#holds(terms);
    const condition = joinSql([currentOrPast(moment), ...filters.map(filterCondition)], ' AND ');
    return {
      text:
        'SELECT e.seq FROM guardkit.episode e WHERE e.seq IN (' +
        `SELECT seq FROM guardkit.search_current WHERE ${where.text} UNION ALL ` +
        `SELECT seq FROM guardkit.search_past WHERE ${where.text}) AND ${condition.text} ORDER BY e.seq DESC`,
      values: [...where.values, ...where.values, ...condition.values],
    };
  }

  /** `of` is the table, if another has columns of the same names. */
  #holds(terms: readonly string[], of = ''): Fragment {
    const conditions: Fragment[] = [];
    if (terms.length > 0) conditions.push({ text: `${of}terms @@ ?::tsquery`, values: [allOf(terms)] });
    if (this.#groupIds)
      conditions.push({ text: `${of}group_id = ANY(?::integer[])`, values: [this.#groupIds] });
    return conditions.length === 0 ? { text: 'true', values: [] } : joinSql(conditions, ' AND ');
  }
}

/** A tsquery always reads a quoted string as one term. */
function allOf(terms: readonly string[]): string {
  return terms.map((term) => `'${term.replace(/['\\]/g, '$&$&')}'`).join(' & ');
}
