import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { queryTraces } from '../../src/learning/traces/query-traces.ts';
import { openSqlite } from '../../src/platform/open-sqlite.ts';
import type { EpisodeStore } from '../../src/store/episode-store.ts';
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import { queryPostgres } from '../support/postgres.ts';
import { newDatabase } from './postgres/new-database.ts';

const PROJECT = 'shop';
const ATTEMPTED = 'command say "attempt": \\ é 🙂';

/** The second has a field that SQLite cannot store in its own row. */
const TRACES = ['plain', 'with \u0001 in it'].map((guard) => ({
  group: `${PROJECT}__traces`,
  entity_type: 'trace',
  entity_id: `TRACE-${guard.length}`,
  body: {
    type: 'violation',
    source: 'enforcement_hook',
    outcome: 'denied',
    context: { agent: 'main' },
    event: { what_happened: 'Something was refused' },
    guard,
    attempted: ATTEMPTED,
  },
}));

async function write(store: EpisodeStore): Promise<void> {
  for (const trace of TRACES) await store.upsert(trace);
  // Brings its indexes up to date.
  await store.search('refused', { groups: [`${PROJECT}__traces`] });
}

async function expectFound(store: EpisodeStore): Promise<void> {
  const listed = await queryTraces(store, PROJECT, { attempted: ATTEMPTED });
  expect(listed.map(({ guard, attempted }) => [guard, attempted]).sort()).toEqual(
    TRACES.map(({ body }) => [body.guard, ATTEMPTED]).sort(),
  );
  const found = await queryTraces(store, PROJECT, { text: 'refused', attempted: ATTEMPTED });
  expect(found).toHaveLength(2);
  expect(await queryTraces(store, PROJECT, { attempted: 'command other' })).toEqual([]);
}

it.each([true, false])(
  'traces stored by SQLite as attempt are found by attempted (already in the index: %s)',
  async (indexed) => {
    const folder = mkdtempSync(join(tmpdir(), 'guardkit-renamed-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, 'guardkit.db');
    const before = await openSqliteStore({ path });
    await write(before);
    await before.close();
    const raw = openSqlite(path);
    raw.exec(`
      UPDATE episode SET fields = replace(fields, '"attempted":', '"attempt":'),
        body = replace(body, '"attempted":', '"attempt":');
      UPDATE episode_field SET field = 'attempt' WHERE field = 'attempted';
      UPDATE field_value SET field = 'attempt' WHERE field = 'attempted';
      ${indexed ? '' : 'DELETE FROM field_value; UPDATE index_state SET entered = 0;'}
      PRAGMA user_version = 4;
    `);
    expect(raw.prepare('SELECT count(*) FROM episode_field').pluck().get()).not.toBe(0);
    raw.close();
    const store = await openSqliteStore({ path });
    onTestFinished(() => store.close());
    await expectFound(store);
  },
);

it('traces stored by PostgreSQL as attempt are found by attempted', async () => {
  const url = await newDatabase();
  const before = await openPostgresStore({ url });
  await write(before);
  await before.close();
  await queryPostgres(url, "UPDATE guardkit.episode_field SET field = 'attempt' WHERE field = 'attempted'");
  await queryPostgres(
    url,
    'DROP TABLE guardkit.ledger_anchor; UPDATE guardkit.schema_version SET version = 1',
  );
  const store = await openPostgresStore({ url });
  onTestFinished(() => store.close());
  await expectFound(store);
});
