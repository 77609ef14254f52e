import { expect, it, onTestFinished } from 'vitest';
import { ENTITY_REGISTRY } from '../../../src/domain/entities/entity-types.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { migrate } from '../../../src/store/postgres/migrate.ts';
import { PostgresDatabase } from '../../../src/store/postgres/postgres-database.ts';
import { PostgresEpisodeStore } from '../../../src/store/postgres/postgres-episode-store.ts';
import { readServerAddress } from '../../../src/store/postgres/server-address.ts';
import { NOTES, note, TURNS, turn } from '../../contracts/inputs.ts';
import { newDatabase } from './new-database.ts';

class CountingDatabase extends PostgresDatabase {
  queries = 0;

  override query: PostgresDatabase['query'] = (query) => {
    this.queries += 1;
    return super.query(query);
  };

  override transaction(): Promise<never> {
    throw new Error('this call was to do without a transaction of several steps');
  }
}

async function openCounted() {
  const url = await newDatabase();
  const address = readServerAddress(url);
  const plain = new PostgresDatabase(address);
  await migrate(plain);
  await plain.close();
  const database = new CountingDatabase(address);
  const store = new PostgresEpisodeStore({ database, entityTypes: ENTITY_REGISTRY, clock: systemClock });
  onTestFinished(() => store.close());
  const counted = async (call: () => Promise<unknown>) => {
    const before = database.queries;
    await call();
    return database.queries - before;
  };
  return { store, counted };
}

it('a write takes two round trips; an unchanged write and a read take one each', async () => {
  const { store, counted } = await openCounted();
  await store.upsertMany([note('NOTE-0', 'text'), turn({ turn: 1 })]);
  expect(await counted(() => store.upsert(note('NOTE-1', 'text')))).toBe(2);
  expect(await counted(() => store.upsert(note('NOTE-1', 'other')))).toBe(2);
  expect(await counted(() => store.upsert(note('NOTE-1', 'other')))).toBe(1);
  const many = Array.from({ length: 100 }, (_, index) => note(`NOTE-${index}`, 'many'));
  expect(await counted(() => store.upsertMany(many))).toBe(2);
  expect(await counted(() => store.get(NOTES, 'NOTE-1'))).toBe(1);
  expect(await counted(() => store.latest(TURNS))).toBe(1);
});

it('a search takes at most six round trips, however many words it has', async () => {
  const { store, counted } = await openCounted();
  await store.upsertMany(
    Array.from({ length: 100 }, (_, index) => note(`NOTE-${index}`, `alpha beta gamma ${index}`)),
  );
  const query = 'why do NOTE-1 and NOTE-2 say alpha beta gamma delta epsilon zeta eta theta';
  expect(await counted(() => store.search(query, { groups: [NOTES] }))).toBeLessThanOrEqual(6);
});
