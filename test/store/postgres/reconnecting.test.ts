import { expect, it, onTestFinished } from 'vitest';
import { openPostgresStore } from '../../../src/store/postgres/open-postgres-store.ts';
import { NOTES, note } from '../../contracts/inputs.ts';
import { newDatabase } from './new-database.ts';
import { startProxy } from './proxy.ts';

async function openThroughProxy() {
  const proxy = await startProxy(await newDatabase());
  const store = await openPostgresStore({ url: proxy.url });
  onTestFinished(() => store.close());
  return { proxy, store };
}

it('a store continues after its server was down for a while', async () => {
  const { proxy, store } = await openThroughProxy();
  await store.upsert(note('NOTE-1', 'before'));
  await proxy.stop();
  const began = Date.now();
  await expect(store.get(NOTES, 'NOTE-1')).rejects.toMatchObject({
    code: 'store.unreachable',
    kind: 'outside',
  });
  await expect(store.upsert(note('NOTE-1', 'lost'))).rejects.toMatchObject({ code: 'store.unreachable' });
  expect(Date.now() - began).toBeLessThan(4500);
  await proxy.start();
  expect(await store.get(NOTES, 'NOTE-1')).toMatchObject({ body: { text: 'before' } });
  expect(await store.upsert(note('NOTE-1', 'after'))).toMatchObject({ action: 'updated' });
});

it('calls in progress when the server goes down fail with an explanation, and the process survives', async () => {
  const { proxy, store } = await openThroughProxy();
  await store.upsert(note('NOTE-0', 'before'));
  const calls = Array.from({ length: 40 }, (_, index) =>
    index % 2 === 0 ? store.upsert(note(`NOTE-${index}`, 'text')) : store.delete(NOTES, 'NOTE-0'),
  );
  const outcomes = Promise.allSettled(calls);
  await new Promise((resolve) => setTimeout(resolve, 5));
  await proxy.stop();
  for (const outcome of await outcomes) {
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'store.unreachable' });
  }
  await proxy.start();
  const written = await store.list(NOTES);
  const acknowledged = (await outcomes).filter(
    ({ status }, index) => status === 'fulfilled' && index % 2 === 0,
  );
  expect(written.length).toBeGreaterThanOrEqual(acknowledged.length - 1);
});

it('an export whose server goes down ends with an explanation', async () => {
  const { proxy, store } = await openThroughProxy();
  await store.upsertMany(Array.from({ length: 300 }, (_, index) => note(`NOTE-${index}`, 'text')));
  const read = async () => {
    for await (const _record of store.export()) await proxy.stop().catch(() => {});
  };
  await expect(read()).rejects.toMatchObject({ code: 'store.unreachable' });
});
