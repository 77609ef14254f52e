import { expect, it, onTestFinished } from 'vitest';
import { openPostgresStore } from '../../../src/store/postgres/open-postgres-store.ts';
import { NOTES, note } from '../../contracts/inputs.ts';
import { queryPostgres } from '../../support/postgres.ts';
import { newDatabase } from './new-database.ts';

async function openNew() {
  const url = await newDatabase();
  const store = await openPostgresStore({ url });
  onTestFinished(() => store.close());
  const connections = async () => {
    const rows = await queryPostgres(
      url,
      "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'guardkit'",
    );
    return rows.length;
  };
  /** The server notices an ended connection a moment later. */
  const settled = async (expected: number) => {
    for (let round = 0; round < 50 && (await connections()) !== expected; round++) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return connections();
  };
  return { url, store, settled };
}

it('however many calls are made at once, a store has four connections', async () => {
  const { store, settled } = await openNew();
  await Promise.all(Array.from({ length: 200 }, (_, index) => store.upsert(note(`NOTE-${index}`, 'text'))));
  expect(await settled(4)).toBe(4);
  expect(await store.counts()).toEqual([{ group: NOTES, episodes: 200, versions: 200 }]);
});

it('abandoned exports release their connection and block nobody', async () => {
  const { store, settled } = await openNew();
  await store.upsertMany(Array.from({ length: 250 }, (_, index) => note(`NOTE-${index}`, 'text')));
  const exports = Array.from({ length: 6 }, () => store.export()[Symbol.asyncIterator]());
  for (const records of exports) expect((await records.next()).value).toMatchObject({ kind: 'episode' });
  expect(await store.upsert(note('NOTE-0', 'changed'))).toMatchObject({ action: 'updated' });
  for (const records of exports) await records.return?.();
  expect(await settled(1)).toBeLessThanOrEqual(4);
  await store.close();
  expect(await settled(0)).toBe(0);
});
