import { expect, it } from 'vitest';
import type { AsOf, EpisodeStore } from '../../src/store/episode-store.ts';
import { describeOnBackends, describeOnSqliteFirst } from '../support/backends.ts';
import { NOTES, note } from './inputs.ts';
import { openForTest, refusal } from './open-for-test.ts';
import { TICKETS, ticket } from './ticket.ts';

const day = (number: number) => `2026-03-${String(number).padStart(2, '0')}T00:00:00.000Z`;

async function textAt(store: EpisodeStore, asOf: AsOf): Promise<unknown> {
  return (await store.get(NOTES, 'NOTE-1', { asOf }))?.body.text;
}

describeOnSqliteFirst('the two time axes', (backend) => {
  /** Writes `text` on one day, valid from another. */
  async function open() {
    const { store, clock } = await openForTest(backend);
    const write = async (on: number, text: string, from?: number) => {
      clock.set(day(on));
      await store.upsert(note('NOTE-1', text, from === undefined ? {} : { valid_at: day(from) }));
    };
    return { store, clock, write };
  }

  it('return what was true at a moment, from its first millisecond until its end', async () => {
    const { store, write } = await open();
    await write(1, 'one');
    await write(5, 'two');
    expect(await textAt(store, '2026-02-28T23:59:59.999Z')).toBeUndefined();
    expect(await textAt(store, day(1))).toBe('one');
    expect(await textAt(store, '2026-03-04T23:59:59.999Z')).toBe('one');
    expect(await textAt(store, day(5))).toBe('two');
    expect(await textAt(store, '2099-01-01')).toBe('two');
  });

  it('keep the time of validity apart from the time of writing', async () => {
    const { store, write } = await open();
    await write(10, 'late news', 2);
    expect(await store.get(NOTES, 'NOTE-1')).toMatchObject({ valid_at: day(2), created_at: day(10) });
    expect(await textAt(store, day(1))).toBeUndefined();
    expect(await textAt(store, day(3))).toBe('late news');
    expect(await textAt(store, { knownAt: day(9) })).toBeUndefined();
    expect(await textAt(store, { validAt: day(3), knownAt: day(9) })).toBeUndefined();
    expect(await textAt(store, { validAt: day(3), knownAt: day(10) })).toBe('late news');
  });

  it('accept a time with an offset', async () => {
    const { store, clock } = await openForTest(backend);
    clock.set(day(10));
    await store.upsert(note('NOTE-1', 'text', { valid_at: '2026-03-02T01:00:00+01:00' }));
    expect(await store.get(NOTES, 'NOTE-1')).toMatchObject({ valid_at: day(2) });
    expect(await textAt(store, '2026-03-02T02:30:00+02:30')).toBe('text');
    expect(await textAt(store, '2026-03-02T02:29:59.999+02:30')).toBeUndefined();
  });

  it('refuse a future time beyond the difference of clocks', async () => {
    const { store, clock } = await openForTest(backend);
    clock.set(day(1));
    await expect(store.upsert(note('NOTE-1', 'announced', { valid_at: day(3) }))).rejects.toEqual(
      refusal('time.future'),
    );
    expect(await store.history(NOTES, 'NOTE-1')).toEqual([]);
    await store.upsert(note('NOTE-1', 'by a fast clock', { valid_at: '2026-03-01T00:00:05Z' }));
    expect(await store.get(NOTES, 'NOTE-1')).toMatchObject({ body: { text: 'by a fast clock' } });
  });

  it('prefer newer knowledge if a correction reaches back before what it replaces', async () => {
    const { store, write } = await open();
    await write(5, 'believed');
    await write(10, 'corrected', 2);
    expect(await textAt(store, day(3))).toBe('corrected');
    expect(await textAt(store, day(6))).toBe('corrected');
    expect(await textAt(store, { validAt: day(6), knownAt: day(9) })).toBe('believed');
    expect(await textAt(store, { validAt: day(3), knownAt: day(9) })).toBeUndefined();
  });

  it('agree with the newest write for every moment it covers, whatever the order of writing', async () => {
    const { store, write } = await open();
    await write(5, 'a', 5);
    await write(11, 'b', 8);
    await write(12, 'c', 3);
    await write(13, 'd', 9);
    await write(14, 'e', 6);
    expect(await textAt(store, day(2))).toBeUndefined();
    expect(await textAt(store, day(3))).toBe('c');
    expect(await textAt(store, day(5))).toBe('c');
    expect(await textAt(store, day(6))).toBe('e');
    expect(await textAt(store, day(10))).toBe('e');
  });

  it('answer as the store would have answered then', async () => {
    const { store, write } = await open();
    await write(1, 'one');
    await write(5, 'two');
    await write(9, 'three', 3);
    expect(await textAt(store, { knownAt: '2026-02-28' })).toBeUndefined();
    expect(await textAt(store, { knownAt: day(1) })).toBe('one');
    expect(await textAt(store, { knownAt: day(5) })).toBe('two');
    expect(await textAt(store, { knownAt: day(8) })).toBe('two');
    expect(await textAt(store, { knownAt: day(9) })).toBe('three');
    expect(await textAt(store, { validAt: day(2), knownAt: day(6) })).toBe('one');
    expect(await textAt(store, { validAt: day(4), knownAt: day(6) })).toBe('one');
    expect(await textAt(store, { validAt: day(4), knownAt: day(9) })).toBe('three');
    // On day 2 its end was not known.
    expect(await textAt(store, { validAt: day(28), knownAt: day(2) })).toBe('one');
  });

  it('end with a deletion, which was not known before', async () => {
    const { store, clock, write } = await open();
    await write(1, 'text');
    clock.set(day(5));
    await store.delete(NOTES, 'NOTE-1');
    expect(await textAt(store, day(4))).toBe('text');
    expect(await textAt(store, day(5))).toBeUndefined();
    expect(await textAt(store, { knownAt: day(4) })).toBe('text');
    expect(await textAt(store, { knownAt: day(5) })).toBeUndefined();
    expect(await textAt(store, { validAt: day(20), knownAt: day(4) })).toBe('text');
    await write(8, 'again');
    expect(await textAt(store, day(6))).toBeUndefined();
    expect(await textAt(store, day(8))).toBe('again');
  });

  it('end with a deletion also after a write by a machine with a fast clock', async () => {
    const { store, clock, write } = await open();
    await write(1, 'now');
    clock.set(day(2));
    await store.upsert(note('NOTE-1', 'ahead', { valid_at: '2026-03-02T00:05:00Z' }));
    clock.set('2026-03-02T00:01:00Z');
    await store.delete(NOTES, 'NOTE-1');
    expect(await textAt(store, day(1))).toBe('now');
    expect(await textAt(store, '2026-03-02T00:01:00Z')).toBeUndefined();
    expect(await textAt(store, '2026-03-02T00:03:00Z')).toBeUndefined();
    expect(await textAt(store, day(3))).toBeUndefined();
  });

  it('read an empty asOf as the present', async () => {
    const { store, write } = await open();
    await write(1, 'one');
    await write(5, 'two');
    expect(await textAt(store, {})).toBe('two');
  });

  it('work for versions written in one millisecond', async () => {
    const { store, write } = await open();
    for (const text of ['one', 'two', 'three']) await write(1, text);
    expect(await textAt(store, day(1))).toBe('three');
    expect(await textAt(store, { knownAt: day(1) })).toBe('three');
    expect(await textAt(store, { validAt: day(1), knownAt: day(1) })).toBe('three');
  });

  it.each(['yesterday', '2026-02-30', '2026-01-01T10:00', ''])('refuse the moment "%s"', async (time) => {
    const { store } = await openForTest(backend);
    await store.upsert(note('NOTE-1', 'text'));
    const refused = refusal('time.format');
    await expect(store.get(NOTES, 'NOTE-1', { asOf: time })).rejects.toEqual(refused);
    await expect(store.list(NOTES, { asOf: { knownAt: time } })).rejects.toEqual(refused);
    await expect(store.latest(NOTES, { asOf: time })).rejects.toEqual(refused);
    await expect(store.find('NOTE-1', { asOf: time })).rejects.toEqual(refused);
    await expect(store.search('text', { asOf: time })).rejects.toEqual(refused);
    await expect(store.neighbours({ scope: '', id: 'X' }, { asOf: time })).rejects.toEqual(refused);
  });

  it('accept moments at the far ends of time', async () => {
    const { store, write } = await open();
    await write(1, 'ancient', undefined);
    for (const asOf of ['0001-01-01', '9999-12-31T23:59:59.999Z']) {
      expect(await store.list(NOTES, { asOf })).toHaveLength(asOf.startsWith('9') ? 1 : 0);
    }
    await store.upsert(note('NOTE-2', 'very old', { valid_at: '0001-01-01T00:00:00Z' }));
    expect(await store.get(NOTES, 'NOTE-2')).toMatchObject({ valid_at: '0001-01-01T00:00:00.000Z' });
  });
});

describeOnBackends('reads of the past', (backend) => {
  async function openPast() {
    const { store, clock } = await openForTest(backend);
    clock.set(day(1));
    await store.upsertMany([
      ticket('T-1', { title: 'alpha', priority: 1, labels: ['old'] }),
      ticket('T-2', { title: 'beta', priority: 2 }),
    ]);
    clock.set(day(5));
    await store.upsertMany([
      ticket('T-1', { title: 'gamma', priority: 9, labels: ['new'] }),
      ticket('T-3', { title: 'delta', priority: 3 }),
    ]);
    clock.set(day(8));
    await store.delete(TICKETS, 'T-2');
    return store;
  }

  const ids = (episodes: { entity_id: string }[]) => episodes.map(({ entity_id }) => entity_id);

  it('list each entity once, as of then', async () => {
    const store = await openPast();
    const titles = async (asOf: AsOf) =>
      (await store.list(TICKETS, { asOf })).map(({ body }) => body.title).sort();
    expect(await titles(day(2))).toEqual(['alpha', 'beta']);
    expect(await titles(day(6))).toEqual(['beta', 'delta', 'gamma']);
    expect(await titles(day(8))).toEqual(['delta', 'gamma']);
    expect(await titles({ knownAt: day(2) })).toEqual(['alpha', 'beta']);
    expect(await titles({ validAt: day(2), knownAt: day(6) })).toEqual(['alpha', 'beta']);
  });

  it('filter and sort by the fields as of then', async () => {
    const store = await openPast();
    const labelled = (value: string, asOf?: AsOf) =>
      store.list(TICKETS, { where: [{ field: 'labels', op: 'eq', value }], asOf });
    expect(ids(await labelled('old', day(2)))).toEqual(['T-1']);
    expect(ids(await labelled('new', day(2)))).toEqual([]);
    expect(ids(await labelled('old', day(6)))).toEqual([]);
    expect(ids(await labelled('old'))).toEqual([]);
    const byPriority = { orderBy: { field: 'priority', direction: 'asc' } } as const;
    expect(ids(await store.list(TICKETS, { ...byPriority, asOf: day(2) }))).toEqual(['T-1', 'T-2']);
    expect(ids(await store.list(TICKETS, { ...byPriority, asOf: day(6) }))).toEqual(['T-2', 'T-3', 'T-1']);
  });

  it('do not fall back to an older version if the one in force does not match', async () => {
    const { store, clock } = await openForTest(backend);
    // Three writes, out of order: "middle" and "back" both cover day 6, and the newer one wins.
    for (const [on, label, from] of [
      [10, 'first', 5],
      [11, 'middle', 7],
      [12, 'back', 3],
    ] as const) {
      clock.set(day(on));
      await store.upsert(ticket('T-1', { labels: [label] }, { valid_at: day(from) }));
    }
    const asOf = day(6);
    const labelled = (value: string) =>
      store.list(TICKETS, { where: [{ field: 'labels', op: 'eq', value }], asOf });
    expect(await labelled('back')).toHaveLength(1);
    expect(await labelled('first')).toEqual([]);
    expect(await labelled('middle')).toEqual([]);
    expect(await store.list(TICKETS, { asOf })).toHaveLength(1);
  });

  it('find and search as of then', async () => {
    const store = await openPast();
    expect(await store.find('T-2', { asOf: day(6) })).toMatchObject([{ body: { title: 'beta' } }]);
    expect(await store.find('T-2')).toEqual([]);
    expect(await store.find('T-1', { asOf: day(2) })).toMatchObject([{ body: { title: 'alpha' } }]);
    const hits = async (query: string, asOf?: AsOf) => ids(await store.search(query, { asOf }));
    expect(await hits('alpha')).toEqual([]);
    expect(await hits('alpha', day(2))).toEqual(['T-1']);
    expect(await hits('gamma', day(2))).toEqual([]);
    expect(await hits('gamma', day(6))).toEqual(['T-1']);
    expect(await hits('beta', day(6))).toEqual(['T-2']);
    expect(await hits('beta', day(9))).toEqual([]);
    expect(await hits('beta', { knownAt: day(6) })).toEqual(['T-2']);
    expect(await hits('alpha', { validAt: day(2), knownAt: day(1) })).toEqual(['T-1']);
  });

  it('return the latest as of then', async () => {
    const store = await openPast();
    expect(await store.latest(TICKETS)).toMatchObject({ body: { title: 'delta' } });
    expect(await store.latest(TICKETS, { asOf: day(2) })).toMatchObject({ body: { title: 'beta' } });
    expect(await store.latest(TICKETS, { asOf: '2020-01-01' })).toBeUndefined();
  });
});
