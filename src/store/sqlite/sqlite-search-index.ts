import type { Moment } from '../as-of.ts';
import type { SearchDocument, SearchIndex } from '../search/search-index.ts';
import type { Sql } from '../sql.ts';
import { versionCondition } from '../version-condition.ts';
import type { StatementCache } from './statement-cache.ts';

/** Stands for the group among the terms of a document; no term of ours begins with this character. */
export function scopeToken(groupId: number): string {
  return `@${groupId}`;
}

/** The full-text tables as seen by one search: these groups, at this moment. */
export class SqliteSearchIndex implements SearchIndex {
  readonly #statements: StatementCache;
  readonly #groupIds: readonly number[] | undefined;
  readonly #moment: Moment | undefined;

  constructor(
    statements: StatementCache,
    groupIds: readonly number[] | undefined,
    moment: Moment | undefined,
  ) {
    this.#statements = statements;
    this.#groupIds = groupIds;
    this.#moment = moment;
  }

  async matches(sets: readonly (readonly string[])[], limit: number): Promise<number[][]> {
    return sets.map((terms) => {
      const expression = this.#expression(terms);
      const { text, values } = this.#moment ? pastSql(expression, this.#moment) : currentSql(expression);
      const rows = this.#statements.get<{ key: number }>(`${text} LIMIT ?`).all(...values, limit);
      return rows.map(({ key }) => key);
    });
  }

  async documents(keys: readonly number[]): Promise<SearchDocument[]> {
    const tables = this.#moment ? ['search_current', 'search_past'] : ['search_current'];
    const documents: SearchDocument[] = [];
    for (const table of tables) {
      const select = this.#statements.get<{ head: string; text: string }>(
        `SELECT head, text FROM ${table} WHERE rowid = ?`,
      );
      for (const key of keys) {
        const row = select.get(key);
        if (row) documents.push({ key, head: splitTerms(row.head), text: splitTerms(row.text) });
      }
    }
    return documents;
  }

  async lastKey(): Promise<number> {
    const row = this.#statements.get<{ key: number | null }>('SELECT max(seq) AS key FROM episode').get();
    return row?.key ?? 0;
  }

  /** Undefined means every document. */
  #expression(terms: readonly string[]): string | undefined {
    const parts = terms.map(quote);
    if (this.#groupIds) parts.push(`(${this.#groupIds.map((id) => quote(scopeToken(id))).join(' OR ')})`);
    return parts.length === 0 ? undefined : parts.join(' AND ');
  }
}

function splitTerms(text: string): string[] {
  return text === '' ? [] : text.split(' ');
}

/** A quoted string is always one term to FTS5, whatever is in it. */
function quote(term: string): string {
  return `"${term.replaceAll('"', '""')}"`;
}

function currentSql(expression: string | undefined): Sql<string | number> {
  if (expression === undefined)
    return { text: 'SELECT rowid AS key FROM search_current ORDER BY rowid DESC', values: [] };
  return {
    text: 'SELECT rowid AS key FROM search_current WHERE search_current MATCH ? ORDER BY rowid DESC',
    values: [expression],
  };
}

function pastSql(expression: string | undefined, moment: Moment): Sql<string | number> {
  const condition = versionCondition(moment, 'episode');
  const found = (table: string) =>
    expression === undefined
      ? `SELECT rowid FROM ${table}`
      : `SELECT rowid FROM ${table} WHERE ${table} MATCH ?`;
  return {
    text:
      `SELECT e.seq AS key FROM episode e WHERE e.seq IN (${found('search_current')} UNION ALL ${found('search_past')}) ` +
      `AND ${condition.text} ORDER BY e.seq DESC`,
    values: [...(expression === undefined ? [] : [expression, expression]), ...condition.values],
  };
}
