import { expect, it, onTestFinished } from 'vitest';
import type { EpisodeStore } from '../../../src/store/episode-store.ts';
import { openPostgresStore } from '../../../src/store/postgres/open-postgres-store.ts';
import { NOTES, note } from '../../contracts/inputs.ts';
import { queryPostgres } from '../../support/postgres.ts';
import { further } from '../../support/thorough.ts';
import { newDatabase } from './new-database.ts';

const IDS = Array.from({ length: 12 }, (_, index) => `NOTE-${index}`);

/** Every store starts at another entity, and every second goes in reverse. */
function crossing(store: number, round: number): string[] {
  const turned = [...IDS.slice(store * 3), ...IDS.slice(0, store * 3)];
  return round % 2 === store % 2 ? turned : turned.reverse();
}

further('calls that write the same entities in different orders never deadlock', async () => {
  const url = await newDatabase();
  const stores: EpisodeStore[] = await Promise.all(
    Array.from({ length: 4 }, () => openPostgresStore({ url })),
  );
  onTestFinished(async () => {
    await Promise.all(stores.map((store) => store.close()));
  });
  const rounds = 25;
  const results = await Promise.all(
    stores.map(async (store, number) => {
      const actions: string[] = [];
      for (let round = 0; round < rounds; round++) {
        const inputs = crossing(number, round).map((id) => note(id, `${number} ${round}`));
        const written = await store.upsertMany(
          inputs,
          round % 5 === 4 ? { once: { stream: `stream ${number}`, number: round } } : {},
        );
        actions.push(...(written ?? []).map(({ action }) => action));
      }
      return actions;
    }),
  );
  const written = results.flat();
  expect(written).toHaveLength(4 * rounds * IDS.length);
  expect(written.filter((action) => action === 'created')).toHaveLength(IDS.length);
  expect(await stores[0]?.counts()).toEqual([
    {
      group: NOTES,
      episodes: IDS.length,
      versions: written.filter((action) => action !== 'unchanged').length,
    },
  ]);
  // The statistics of a connection are complete when it has ended.
  await Promise.all(stores.map((store) => store.close()));
  const [{ deadlocks } = { deadlocks: undefined }] = await queryPostgres(
    url,
    'SELECT deadlocks::integer FROM pg_stat_database WHERE datname = current_database()',
  );
  expect(deadlocks).toBe(0);
});

it('a purge and an import among writes wait their turn', async () => {
  const url = await newDatabase();
  const [one, two] = await Promise.all([openPostgresStore({ url }), openPostgresStore({ url })]);
  onTestFinished(async () => {
    await Promise.all([one.close(), two.close()]);
  });
  await one.upsertMany(IDS.map((id) => note(id, 'text')));
  const records = [];
  for await (const record of one.export()) records.push(record);
  for (let round = 0; round < 10; round++) {
    await Promise.all([
      one.upsertMany(crossing(0, round).map((id) => note(id, `one ${round}`))),
      two.upsertMany(crossing(1, round).map((id) => note(id, `two ${round}`))),
      round % 2 === 0 ? two.purge(NOTES) : one.import(records),
      two.delete(NOTES, 'NOTE-3'),
    ]);
  }
  for (const id of IDS) {
    const history = await one.history(NOTES, id);
    expect(history.filter(({ expired_at }) => expired_at === null).length).toBeLessThanOrEqual(1);
  }
});
