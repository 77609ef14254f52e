import { expect, it, onTestFinished } from 'vitest';
import { ENTITY_REGISTRY } from '../../../src/domain/entities/entity-types.ts';
import { openPostgresStore } from '../../../src/store/postgres/open-postgres-store.ts';
import { PostgresDatabase } from '../../../src/store/postgres/postgres-database.ts';
import { PostgresVectorIndex } from '../../../src/store/postgres/postgres-vector-index.ts';
import { readServerAddress } from '../../../src/store/postgres/server-address.ts';
import { NOTES, note } from '../../contracts/inputs.ts';
import { newDatabase } from './new-database.ts';

async function openIndex() {
  const url = await newDatabase();
  const store = await openPostgresStore({ url });
  const database = new PostgresDatabase(readServerAddress(url));
  onTestFinished(async () => {
    await store.close();
    await database.close();
  });
  const index = new PostgresVectorIndex(database, ENTITY_REGISTRY);
  const scanned = async (model: string, groups?: string[], limit = 1000) => {
    const found: { key: number; vector: number[] }[] = [];
    for await (const { key, vector } of index.scan(model, groups, limit)) {
      found.push({ key, vector: [...vector] });
    }
    return found;
  };
  return { store, index, scanned };
}

it('vectors are missing until they are saved, and come back exactly, newest first', async () => {
  const { store, index, scanned } = await openIndex();
  await store.upsertMany([note('NOTE-1', 'one'), note('NOTE-2', 'two')]);
  const pending = await index.pending('model', 0, 10);
  expect(pending.map(({ text }) => text)).toEqual([
    expect.stringContaining('one'),
    expect.stringContaining('two'),
  ]);
  const vector = Float32Array.from([0.1, -0.2, 1e-30, 3.5]);
  await index.save(
    'model',
    pending.map(({ key }) => ({ key, vector })),
  );
  expect(await index.pending('model', 0, 10)).toEqual([]);
  expect(await index.counts('model')).toEqual({ embedded: 2, pending: 0 });
  expect(await scanned('model')).toEqual(pending.map(({ key }) => ({ key, vector: [...vector] })).reverse());
});

it('a vector counts only for its model, its group and the current version', async () => {
  const { store, index, scanned } = await openIndex();
  await store.upsertMany([note('NOTE-1', 'one'), note('NOTE-1', 'one', { group: 'demo__architecture' })]);
  const vector = Float32Array.from([1, 0]);
  const pending = await index.pending('model', 0, 10);
  await index.save('model', [...pending.map(({ key }) => ({ key, vector })), { key: 999_999, vector }]);
  expect(await scanned('model', [NOTES])).toHaveLength(1);
  expect(await scanned('other')).toEqual([]);
  expect(await index.counts('other')).toEqual({ embedded: 0, pending: 2 });
  await store.upsert(note('NOTE-1', 'changed'));
  expect(await index.counts('model')).toEqual({ embedded: 1, pending: 1 });
  await store.purge('demo__architecture');
  expect(await scanned('model')).toEqual([]);
});

it('more vectors than a page are all compared, up to the limit', async () => {
  const { store, index, scanned } = await openIndex();
  await store.upsertMany(Array.from({ length: 1100 }, (_, number) => note(`NOTE-${number}`, 'text')));
  const pending = await index.pending('model', 0, 2000);
  await index.save(
    'model',
    pending.map(({ key }) => ({ key, vector: Float32Array.from([key, 1]) })),
  );
  const found = await scanned('model', undefined, 2000);
  expect(found.map(({ key }) => key)).toEqual(pending.map(({ key }) => key).reverse());
  expect(found.every(({ key, vector }) => vector[0] === key)).toBe(true);
  expect(await scanned('model', undefined, 600)).toHaveLength(600);
});
