import { expect, it } from 'vitest';
import type { EpisodeStore, ExportRecord } from '../../src/store/episode-store.ts';
import { type Backend, describeOnBackends, describeOnSqliteFirst } from '../support/backends.ts';
import { further } from '../support/thorough.ts';
import { NOTES, note, TURNS, turn } from './inputs.ts';
import { exported, openForTest, refusal } from './open-for-test.ts';
import { TICKETS, ticket } from './ticket.ts';

/** As in a file, byte for byte. */
async function jsonl(store: EpisodeStore): Promise<string> {
  return (await exported(store)).map((record) => `${JSON.stringify(record)}\n`).join('');
}

function parsed(text: string): ExportRecord[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** A store with several versions, a deletion, explicit and declared relations, unusual characters and times. */
async function openFilled(backend: Backend) {
  const { store, clock } = await openForTest(backend);
  const relation = {
    from: { scope: 'demo', id: 'G-1' },
    relation: 'made_from',
    to: { scope: '', id: 'P-1' },
  };
  await store.upsertMany([
    note('NOTE-1', 'one \u0000 \ud800 😀', { source: 'cli' }),
    turn({ turn: 1 }),
    ticket('T-1', { parent: 'E-1' }),
  ]);
  clock.advance(1000);
  await store.upsert(note('NOTE-1', 'two', { name: 'A name of its own', valid_at: '2020-01-01' }));
  await store.relate(relation);
  await store.relate({
    from: { scope: 'demo', id: 'T-1' },
    relation: 'refines',
    to: { scope: 'demo', id: 'NOTE-1' },
  });
  clock.advance(1000);
  await store.upsert(ticket('T-1', { parent: 'E-2' }));
  await store.delete(TURNS, 'TURN-FEAT-AUTH-TASK-1-T1');
  await store.upsert(note('NOTE-2', 'other project', { group: 'other__architecture' }));
  return { store, clock };
}

describeOnBackends('exporting', (backend) => {
  it('returns all versions, oldest first, then the explicit relations', async () => {
    const { store } = await openFilled(backend);
    const records = await exported(store);
    const names = records.map((record) => (record.kind === 'episode' ? record.entity_id : record.relation));
    expect(names).toEqual([
      'NOTE-1',
      'TURN-FEAT-AUTH-TASK-1-T1',
      'T-1',
      'NOTE-1',
      'T-1',
      'NOTE-2',
      'made_from',
      'refines',
    ]);
    const [first] = records;
    expect(first).toMatchObject({ kind: 'episode', uuid: (await store.history(NOTES, 'NOTE-1'))[0]?.uuid });
  });

  it('returns the requested groups, with the explicit relations of their entities', async () => {
    const { store } = await openFilled(backend);
    const records = await exported(store, [TICKETS, TURNS]);
    const groups = records.flatMap((record) => (record.kind === 'episode' ? [record.group] : []));
    expect(new Set(groups)).toEqual(new Set([TICKETS, TURNS]));
    const edges = records.flatMap((record) => (record.kind === 'edge' ? [record.relation] : []));
    expect(edges).toEqual(['refines']);
    expect(await exported(store, ['demo__architecture'])).toEqual([]);
  });

  it('returns nothing for an empty store', async () => {
    const { store } = await openForTest(backend);
    expect(await exported(store)).toEqual([]);
  });

  it('refuses an invalid group', async () => {
    const { store } = await openForTest(backend);
    await expect(exported(store, ['No Group'])).rejects.toEqual(refusal('group.illegal'));
  });

  it('is a snapshot, even if the store changes in the meantime', async () => {
    const { store } = await openForTest(backend);
    await store.upsertMany(Array.from({ length: 300 }, (_, index) => note(`NOTE-${index}`, 'before')));
    const records: ExportRecord[] = [];
    for await (const record of store.export()) {
      if (records.length === 0) {
        await store.upsert(note('NOTE-299', 'after'));
        await store.upsert(note('NOTE-NEW', 'after'));
        await store.delete(NOTES, 'NOTE-298');
      }
      records.push(record);
    }
    expect(records).toHaveLength(300);
    expect(records.every((record) => record.expired_at === null)).toBe(true);
    expect(await exported(store)).toHaveLength(302);
  });

  it('may be abandoned', async () => {
    const { store } = await openFilled(backend);
    for await (const record of store.export()) {
      expect(record.kind).toBe('episode');
      break;
    }
    expect(await store.upsert(note('NOTE-9', 'after'))).toMatchObject({ action: 'created' });
    expect(await exported(store)).toHaveLength(9);
  });
});

describeOnSqliteFirst('importing', (backend) => {
  it('makes an empty store identical, byte for byte', async () => {
    const { store } = await openFilled(backend);
    const { store: copy } = await openForTest(backend);
    const file = await jsonl(store);
    expect(await copy.import(parsed(file))).toEqual({ added: 8, unchanged: 0 });
    expect(await jsonl(copy)).toBe(file);
  });

  it('makes a store with the same reads, hits and relations', async () => {
    const { store } = await openFilled(backend);
    const { store: copy } = await openForTest(backend);
    await copy.import(parsed(await jsonl(store)));
    const answers = async (from: EpisodeStore) => ({
      counts: await from.counts(),
      list: await from.list(TICKETS, { where: [{ field: 'parent', op: 'eq', value: 'E-2' }] }),
      past: await from.list(TICKETS, { asOf: { knownAt: '2026-01-01T00:00:01Z' } }),
      search: await from.search('two'),
      pastSearch: await from.search('turn', { asOf: { knownAt: '2026-01-01T00:00:01Z' } }),
      found: await from.find('NOTE-1'),
      neighbours: await from.neighbours({ scope: 'demo', id: 'T-1' }),
      pastNeighbours: await from.neighbours({ scope: 'demo', id: 'T-1' }, { asOf: '2026-01-01T00:00:01Z' }),
    });
    expect(await answers(copy)).toEqual(await answers(store));
  });

  it('changes nothing the second time [MEM-8]', async () => {
    const { store } = await openFilled(backend);
    const { store: copy } = await openForTest(backend);
    const records = await exported(store);
    await copy.import(records);
    expect(await copy.import(records)).toEqual({ added: 0, unchanged: 8 });
    expect(await store.import(records)).toEqual({ added: 0, unchanged: 8 });
    expect(await exported(copy)).toEqual(records);
    expect(await exported(store)).toEqual(records);
  });

  it('does nothing for no records', async () => {
    const { store } = await openForTest(backend);
    expect(await store.import([])).toEqual({ added: 0, unchanged: 0 });
  });

  it('lets declared relations follow later updates', async () => {
    const { store } = await openFilled(backend);
    const { store: copy } = await openForTest(backend);
    await copy.import(await exported(store));
    await copy.upsert(ticket('T-1', { parent: 'E-3' }));
    expect(await copy.neighbours({ scope: 'demo', id: 'T-1' }, { relation: 'child_of' })).toMatchObject([
      { id: 'E-3' },
    ]);
  });

  it('imports what is newer elsewhere and keeps what is newer here', async () => {
    const here = await openForTest(backend);
    const there = await openForTest(backend);
    await here.store.upsertMany([note('NOTE-1', 'shared'), note('NOTE-2', 'shared')]);
    await there.store.import(await exported(here.store));
    there.clock.advance(1000);
    await there.store.upsertMany([note('NOTE-1', 'from there'), note('NOTE-2', 'older, from there')]);
    here.clock.advance(2000);
    await here.store.upsert(note('NOTE-2', 'newer, from here'));
    await here.store.import(await exported(there.store));
    expect(await here.store.get(NOTES, 'NOTE-1')).toMatchObject({ body: { text: 'from there' } });
    expect(await here.store.get(NOTES, 'NOTE-2')).toMatchObject({ body: { text: 'newer, from here' } });
    const history = await here.store.history(NOTES, 'NOTE-2');
    expect(history.map(({ body }) => body.text)).toEqual(['shared', 'older, from there', 'newer, from here']);
    expect(history.filter(({ expired_at }) => expired_at === null)).toHaveLength(1);
  });

  it('treats the same content under another version as existing', async () => {
    const here = await openForTest(backend);
    const there = await openForTest(backend);
    await here.store.upsert(note('NOTE-1', 'same'));
    there.clock.advance(1000);
    await there.store.upsert(note('NOTE-1', 'same'));
    const before = await exported(here.store);
    expect(await here.store.import(await exported(there.store))).toEqual({ added: 0, unchanged: 1 });
    expect(await exported(here.store)).toEqual(before);
  });

  it('is idempotent for a store that has diverged', async () => {
    const here = await openFilled(backend);
    const there = await openFilled(backend);
    there.clock.advance(5000);
    await there.store.upsert(note('NOTE-1', 'three'));
    const records = await exported(there.store);
    await here.store.import(records);
    const once = await exported(here.store);
    expect(await here.store.import(records)).toEqual({ added: 0, unchanged: records.length });
    expect(await exported(here.store)).toEqual(once);
  });

  it('brings two stores to the same answers when each imports the other', async () => {
    const here = await openForTest(backend);
    const there = await openForTest(backend);
    await here.store.upsertMany([note('NOTE-1', 'a'), note('NOTE-2', 'a'), ticket('T-1', { parent: 'E-1' })]);
    await there.store.upsertMany([
      note('NOTE-1', 'b'),
      note('NOTE-3', 'b'),
      ticket('T-1', { parent: 'E-2' }),
    ]);
    const fromHere = await exported(here.store);
    const fromThere = await exported(there.store);
    await here.store.import(fromThere);
    await there.store.import(fromHere);
    const answers = async (store: EpisodeStore) => ({
      notes: (await store.list(NOTES, { orderBy: { field: 'entity_id', direction: 'asc' } })).map(
        ({ body }) => body,
      ),
      tickets: (await store.list(TICKETS)).map(({ body }) => body),
      neighbours: await store.neighbours({ scope: 'demo', id: 'T-1' }),
    });
    expect(await answers(here.store)).toEqual(await answers(there.store));
  });

  it('keeps only the relations of the version in force', async () => {
    const here = await openForTest(backend);
    const there = await openForTest(backend);
    await here.store.upsert(ticket('T-1', { parent: 'E-1' }));
    there.clock.advance(1000);
    await there.store.upsert(ticket('T-1', { parent: 'E-2' }));
    const fromHere = await exported(here.store);
    await here.store.import(await exported(there.store));
    await there.store.import(fromHere);
    for (const { store } of [here, there]) {
      expect(await store.neighbours({ scope: 'demo', id: 'T-1' })).toMatchObject([{ id: 'E-2' }]);
      expect(await store.neighbours({ scope: 'demo', id: 'E-1' })).toEqual([]);
    }
  });

  it('imports a deletion and the end of its relations', async () => {
    const here = await openForTest(backend);
    const there = await openForTest(backend);
    await here.store.upsert(ticket('T-1', { parent: 'E-1' }));
    await there.store.import(await exported(here.store));
    there.clock.advance(1000);
    await there.store.delete(TICKETS, 'T-1');
    await here.store.import(await exported(there.store));
    expect(await here.store.get(TICKETS, 'T-1')).toBeUndefined();
    expect(await here.store.search('ticket')).toEqual([]);
    expect(await here.store.neighbours({ scope: 'demo', id: 'E-1' })).toEqual([]);
    expect(await exported(here.store)).toEqual(await exported(there.store));
  });

  it.each([
    ['another group', { group: 'demo__failed_approaches' }],
    ['another entity', { entity_id: 'NOTE-2' }],
  ])('does not close a version by a record of %s with its uuid', async (_case, changes) => {
    const { store } = await openForTest(backend);
    await store.upsert(note('NOTE-1', 'stays'));
    const ended = { invalid_at: '2026-02-01T00:00:00Z', expired_at: '2026-02-01T00:00:00Z' };
    const records = (await exported(store)).map((record) => ({ ...record, ...ended, ...changes }));
    await expect(store.import(records as ExportRecord[])).rejects.toEqual(refusal('import.uuid-taken'));
    expect(await store.list(NOTES)).toMatchObject([{ entity_id: 'NOTE-1', expired_at: null }]);
  });

  it.each<[string, (record: ExportRecord) => object, string]>([
    ['a body that does not fit', (record) => ({ ...record, body: { title: 7 } }), 'entity.invalid-body'],
    ['an unknown type', (record) => ({ ...record, entity_type: 'rumour' }), 'entity.unknown-type'],
    ['an illegal group', (record) => ({ ...record, group: 'No Group' }), 'group.illegal'],
    ['an illegal id', (record) => ({ ...record, entity_id: 'NO ID' }), 'entity.illegal-id'],
    ['an unreadable time', (record) => ({ ...record, valid_at: 'soon' }), 'time.format'],
  ])('imports nothing when one record has %s [MEM-8]', async (_what, spoil, code) => {
    const { store } = await openForTest(backend);
    const { store: other } = await openForTest(backend);
    await store.upsert(note('NOTE-0', 'before'));
    await other.upsertMany([note('NOTE-1', 'one'), ticket('T-1', { parent: 'E-1' }), note('NOTE-2', 'two')]);
    const before = await exported(store);
    const records = await exported(other);
    const spoilt = records.map((record) =>
      record.kind === 'episode' && record.entity_id === 'NOTE-2' ? spoil(record) : record,
    ) as ExportRecord[];
    await expect(store.import(spoilt)).rejects.toEqual(refusal(code));
    expect(await exported(store)).toEqual(before);
    expect(await store.import(records)).toEqual({ added: 3, unchanged: 0 });
  });

  it('scrubs secrets from a file made elsewhere', async () => {
    const { store } = await openFilled(backend);
    const { store: copy } = await openForTest(backend);
    const key = `AKIA${'R'.repeat(16)}`;
    const records = parsed((await jsonl(store)).replaceAll('"two"', `"two ${key}"`));
    await copy.import(records);
    expect(await jsonl(copy)).not.toContain(key);
  });

  further('imports thousands at once', async () => {
    const { store } = await openForTest(backend);
    const { store: copy } = await openForTest(backend);
    await store.upsertMany(
      Array.from({ length: 2000 }, (_, index) => ticket(`T-${index}`, { parent: `E-${index % 9}` })),
    );
    expect(await copy.import(await exported(store))).toEqual({ added: 2000, unchanged: 0 });
    expect(await jsonl(copy)).toBe(await jsonl(store));
  });
});

describeOnSqliteFirst('purging', (backend) => {
  it('deletes every version of a group permanently, and returns their number', async () => {
    const { store } = await openFilled(backend);
    expect(await store.purge(NOTES)).toBe(2);
    expect(await store.get(NOTES, 'NOTE-1')).toBeUndefined();
    expect(await store.history(NOTES, 'NOTE-1')).toEqual([]);
    expect(await store.list(NOTES, { asOf: '2026-01-01T00:00:00Z' })).toEqual([]);
    expect(await store.search('two')).toEqual([]);
    expect(await store.search('one', { asOf: { knownAt: '2026-01-01T00:00:00Z' } })).toEqual([]);
    expect(
      (await exported(store)).some((record) => record.kind === 'episode' && record.group === NOTES),
    ).toBe(false);
  });

  it('deletes the declared relations of its entities and keeps explicit ones', async () => {
    const { store } = await openFilled(backend);
    expect(await store.purge(TICKETS)).toBe(2);
    expect(await store.neighbours({ scope: 'demo', id: 'T-1' })).toMatchObject([{ relation: 'refines' }]);
    expect(await store.neighbours({ scope: 'demo', id: 'E-1' }, { asOf: '2026-01-01' })).toEqual([]);
    const left = (await exported(store)).map((record) =>
      record.kind === 'edge' ? record.relation : record.entity_id,
    );
    expect(left).toEqual(['NOTE-1', 'TURN-FEAT-AUTH-TASK-1-T1', 'NOTE-1', 'NOTE-2', 'made_from', 'refines']);
  });

  it('returns zero for an empty group', async () => {
    const { store } = await openFilled(backend);
    const before = await exported(store);
    expect(await store.purge('demo__architecture')).toBe(0);
    expect(await exported(store)).toEqual(before);
  });

  it('lets the group start again', async () => {
    const { store } = await openFilled(backend);
    await store.purge(NOTES);
    expect(await store.upsert(note('NOTE-1', 'two'))).toMatchObject({ action: 'created' });
    expect(await store.search('two')).toHaveLength(1);
    expect(await store.history(NOTES, 'NOTE-1')).toHaveLength(1);
  });
});
