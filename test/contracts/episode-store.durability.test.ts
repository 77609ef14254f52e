import { expect, it, onTestFinished } from 'vitest';
import type { Episode } from '../../src/domain/entities/episode.ts';
import type { EpisodeStore } from '../../src/store/episode-store.ts';
import { openStore } from '../../src/store/open-store.ts';
import { describeOnBackends, type OpenedStore } from '../support/backends.ts';
import { rows } from '../support/thorough.ts';
import { TICKETS, ticketType } from './ticket.ts';
import type { Acknowledged } from './write-worker.ts';
import { startWriter } from './writers.ts';

describeOnBackends('a process that is killed while it writes', (backend) => {
  async function open(): Promise<OpenedStore> {
    const opened = await backend.open();
    onTestFinished(() => opened.cleanup());
    return opened;
  }

  async function startEndless({ location }: OpenedStore, writer: number) {
    const started = await startWriter({ location, writer, work: 'endless' });
    await started.ready;
    started.begin();
    return started;
  }

  it('keeps every acknowledged write and no partial one [MEM-1]', async () => {
    const opened = await open();
    const acknowledged: Acknowledged[] = [];
    for (const [writer, writes] of rows(2, [5, 24, 1, 11, 52]).entries()) {
      const started = await startEndless(opened, writer);
      acknowledged.push(...(await started.killAfter(writes)));
    }
    const store = await openStore({ ...opened.location, entityTypes: [ticketType] });
    onTestFinished(() => store.close());
    await expectAcknowledged(store, acknowledged);
    await expectWhole(store);
    await expectSound(opened);
  });

  it('does not block another one', async () => {
    const opened = await open();
    const [killed, other] = await Promise.all([startEndless(opened, 1), startEndless(opened, 2)]);
    await killed.killAfter(10);
    const sofar = other.acknowledged.length;
    await other.reached(sofar + 20);
    expect(other.acknowledged.length).toBeGreaterThanOrEqual(sofar + 20);
    await other.killAfter(0);
    const store = await openStore({ ...opened.location, entityTypes: [ticketType] });
    onTestFinished(() => store.close());
    await expectAcknowledged(store, [...killed.acknowledged, ...other.acknowledged]);
    await expectWhole(store);
  });
});

async function expectAcknowledged(store: EpisodeStore, acknowledged: readonly Acknowledged[]): Promise<void> {
  const stored = new Set<string>();
  for await (const record of store.export()) stored.add(record.uuid);
  expect(acknowledged.filter(({ uuid }) => !stored.has(uuid))).toEqual([]);
}

/** Every batch is complete, and the last tickets of each writer are in the fields, the search index and the relations. */
async function expectWhole(store: EpisodeStore): Promise<void> {
  const current = await store.list(TICKETS);
  const parts = (letter: string) =>
    current.flatMap(({ entity_id }) => (entity_id.endsWith(letter) ? [entity_id.slice(0, -1)] : [])).sort();
  expect(parts('b')).toEqual(parts('a'));
  expect(parts('c')).toEqual(parts('a'));
  for (const writer of new Set(current.map(({ entity_id }) => entity_id.split('-')[0]))) {
    const last = current.filter(({ entity_id }) => entity_id.startsWith(`${writer}-`)).slice(0, 12);
    for (const ticket of last) await expectIndexed(store, ticket);
  }
}

async function expectIndexed(store: EpisodeStore, { entity_id, body }: Episode): Promise<void> {
  const [label] = Array.isArray(body.labels) ? body.labels : [];
  const byField = await store.list(TICKETS, { where: [{ field: 'labels', op: 'eq', value: String(label) }] });
  expect(byField.map((episode) => episode.entity_id)).toEqual([entity_id]);
  const hits = await store.search(String(body.title), { limit: 1 });
  expect(hits).toMatchObject([{ entity_id, name: body.title }]);
  const neighbours = await store.neighbours({ scope: 'demo', id: entity_id });
  expect(neighbours.map(({ id }) => id)).toEqual([body.parent]);
  const versions = await store.history(TICKETS, entity_id);
  expect(versions.filter(({ expired_at }) => expired_at === null)).toHaveLength(1);
}

async function expectSound({ location, query }: OpenedStore): Promise<void> {
  if (!('path' in location)) return;
  expect(await query('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  expect(await query('PRAGMA foreign_key_check')).toEqual([]);
}
