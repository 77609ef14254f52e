import { beforeAll, describe, expect, inject, it } from 'vitest';
import { openPostgresStore } from '../../../src/store/postgres/open-postgres-store.ts';
import type { Query } from '../../../src/store/postgres/postgres-database.ts';
import { PostgresSearchIndex } from '../../../src/store/postgres/postgres-search-index.ts';
import { note } from '../../contracts/inputs.ts';
import { createDatabase, queryPostgres } from '../../support/postgres.ts';

const COUNT = 6000;

describe('a search among thousands', () => {
  let url: string;

  beforeAll(async () => {
    expect(inject('postgresPort')).toBeGreaterThan(0);
    const database = await createDatabase();
    url = database.url;
    const store = await openPostgresStore({ url });
    const inputs = Array.from({ length: COUNT }, (_, index) =>
      note(
        `NOTE-${index}`,
        `common words ${index % 2 === 0 ? 'even' : 'odd'} rare${index % 1500} number${index}`,
      ),
    );
    await store.upsertMany(inputs);
    await store.close();
    await queryPostgres(url, 'ANALYZE guardkit.search_current');
    return () => database.cleanup();
  });

  /** The server's query plan, line by line. */
  async function plan(terms: string[], groupIds?: number[]): Promise<string> {
    const asked: Query[] = [];
    const index = new PostgresSearchIndex(
      {
        query: async (query) => {
          asked.push(query);
          return [];
        },
      },
      { groupIds, moment: undefined, filters: [] },
    );
    await index.matches([terms], 400);
    const [{ text, values } = { text: '', values: [] }] = asked;
    let position = 0;
    const numbered = text.replaceAll('?', () => `$${++position}`);
    const lines = await queryPostgres(url, `EXPLAIN ${numbered}`, values);
    return lines.map((line) => line['QUERY PLAN']).join('\n');
  }

  it.each([['common'], ['even']])('scans back from the newest for the frequent term %s', async (term) => {
    const walked = await plan([term]);
    expect(walked).toContain('Index Scan Backward using search_current_pkey');
    expect(walked).not.toContain('Sort');
  });

  it.each([['rare7'], ['number77'], ['nowher']])(
    'enters the term index for the rare term %s',
    async (term) => {
      expect(await plan([term])).toContain('Bitmap Index Scan on search_current_terms');
    },
  );

  it('enters it by the rare one of several terms, also within one group', async () => {
    expect(await plan(['common', 'even', 'rare7'])).toContain('Bitmap Index Scan on search_current_terms');
    expect(await plan(['rare7'], [1])).toContain('Bitmap Index Scan on search_current_terms');
    expect(await plan(['common'], [1])).toContain('Index Scan Backward using search_current_pkey');
  });
});
