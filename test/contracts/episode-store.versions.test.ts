import { expect, it } from 'vitest';
import { describeOnBackends } from '../support/backends.ts';
import { NOTES, note, TURNS, turn } from './inputs.ts';
import { exported, openForTest, refusal } from './open-for-test.ts';
import { TICKETS, ticket } from './ticket.ts';

describeOnBackends('versions', (backend) => {
  it('creates an entity, open on both axes, and returns its version', async () => {
    const { store, clock } = await openForTest(backend);
    const result = await store.upsert(note('NOTE-1', 'first', { source: 'cli', name: 'My note' }));
    expect(result).toEqual({ action: 'created', uuid: expect.any(String) });
    expect(await store.get(NOTES, 'NOTE-1')).toEqual({
      uuid: result.uuid,
      group: NOTES,
      entity_id: 'NOTE-1',
      entity_type: 'note',
      name: 'My note',
      body: { title: 'A note', text: 'first', tags: [] },
      source: 'cli',
      content_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      valid_at: clock.iso(),
      invalid_at: null,
      created_at: clock.iso(),
      expired_at: null,
    });
  });

  it('replaces a changed entity, names the version it closed, and keeps that one in the history', async () => {
    const { store, clock } = await openForTest(backend);
    const first = await store.upsert(note('NOTE-1', 'first'));
    clock.advance(1000);
    const second = await store.upsert(note('NOTE-1', 'second'));
    expect(second).toEqual({ action: 'updated', uuid: expect.any(String), previousUuid: first.uuid });
    expect(second.uuid).not.toBe(first.uuid);
    expect(await store.get(NOTES, 'NOTE-1')).toMatchObject({ uuid: second.uuid, body: { text: 'second' } });
    expect(await store.history(NOTES, 'NOTE-1')).toMatchObject([
      { uuid: first.uuid, body: { text: 'first' }, invalid_at: clock.iso(), expired_at: clock.iso() },
      {
        uuid: second.uuid,
        body: { text: 'second' },
        valid_at: clock.iso(),
        invalid_at: null,
        expired_at: null,
      },
    ]);
  });

  it('changes no row at all when the body is the same [MEM-4]', async () => {
    const { store, clock } = await openForTest(backend);
    const inputs = [
      note('NOTE-1', 'text'),
      turn({ turn: 1 }),
      ticket('T-1', { parent: 'T-0', labels: ['a'] }),
    ];
    const created = await store.upsertMany(inputs);
    const before = await exported(store);
    clock.advance(60_000);
    const again = await store.upsertMany(inputs);
    expect(again?.map(({ action }) => action)).toEqual(['unchanged', 'unchanged', 'unchanged']);
    expect(again?.map(({ uuid }) => uuid)).toEqual(created?.map(({ uuid }) => uuid));
    expect(again?.every((result) => result.previousUuid === undefined)).toBe(true);
    expect(await exported(store)).toEqual(before);
  });

  it('ignores a new name, source, time or key order', async () => {
    const { store } = await openForTest(backend);
    const { uuid } = await store.upsert(note('NOTE-1', 'text', { tags: ['a'] }));
    const other = {
      ...note('NOTE-1', ''),
      body: { tags: ['a'], text: 'text', title: 'A note' },
      name: 'Other',
      source: 'other',
      valid_at: '2020-01-01',
    };
    expect(await store.upsert(other)).toEqual({ action: 'unchanged', uuid });
    expect(await store.get(NOTES, 'NOTE-1')).toMatchObject({ name: 'A note', source: 'api' });
  });

  it('creates a new version when an entity returns to an earlier body', async () => {
    const { store, clock } = await openForTest(backend);
    for (const text of ['one', 'two', 'one']) {
      clock.advance(1000);
      await store.upsert(note('NOTE-1', text));
    }
    const history = await store.history(NOTES, 'NOTE-1');
    expect(history.map(({ body }) => body.text)).toEqual(['one', 'two', 'one']);
    expect(new Set(history.map(({ uuid }) => uuid)).size).toBe(3);
  });

  it('keeps the order of versions that were written in one millisecond', async () => {
    const { store } = await openForTest(backend);
    const texts = ['a', 'b', 'c', 'd', 'e', 'f'];
    for (const text of texts) await store.upsert(note('NOTE-1', text));
    const history = await store.history(NOTES, 'NOTE-1');
    expect(history.map(({ body }) => body.text)).toEqual(texts);
    expect(history.filter(({ expired_at }) => expired_at === null)).toHaveLength(1);
    expect(await store.get(NOTES, 'NOTE-1')).toMatchObject({ body: { text: 'f' } });
  });

  it('never dates a version before the one it replaces, when the clock was set back', async () => {
    const { store, clock } = await openForTest(backend);
    const start = clock.iso();
    await store.upsert(note('NOTE-1', 'first'));
    clock.advance(-3_600_000);
    await store.upsert(note('NOTE-1', 'second'));
    expect(await store.history(NOTES, 'NOTE-1')).toMatchObject([
      { body: { text: 'first' }, invalid_at: start, expired_at: start },
      { body: { text: 'second' }, valid_at: start, created_at: start },
    ]);
  });

  it('keeps entities of one id in different groups and projects apart', async () => {
    const { store } = await openForTest(backend);
    const groups = ['demo__failure_patterns', 'demo__architecture', 'other__failure_patterns'];
    for (const group of groups) await store.upsert(note('NOTE-1', group, { group }));
    await store.delete('demo__architecture', 'NOTE-1');
    expect(await store.get('demo__failure_patterns', 'NOTE-1')).toMatchObject({ body: { text: groups[0] } });
    expect(await store.get('demo__architecture', 'NOTE-1')).toBeUndefined();
    expect(await store.get('other__failure_patterns', 'NOTE-1')).toMatchObject({ body: { text: groups[2] } });
  });

  it('distinguishes ids that differ only in case', async () => {
    const { store } = await openForTest(backend);
    await store.upsert(note('NOTE-a', 'lower'));
    expect(await store.upsert(note('NOTE-A', 'upper'))).toMatchObject({ action: 'created' });
    expect(await store.get(NOTES, 'NOTE-a')).toMatchObject({ body: { text: 'lower' } });
    expect(await store.get(NOTES, 'note-a')).toBeUndefined();
  });

  it('shows every version to other connections once it is acknowledged', async () => {
    const { store, opened } = await openForTest(backend);
    const other = await opened.openAnother();
    for (const text of ['one', 'two']) {
      await store.upsert(note('NOTE-1', text));
      expect(await other.get(NOTES, 'NOTE-1')).toMatchObject({ body: { text } });
    }
    expect(await other.upsert(note('NOTE-1', 'two'))).toMatchObject({ action: 'unchanged' });
  });

  it('survives closing and reopening', async () => {
    const { store, opened } = await openForTest(backend);
    await store.upsertMany([note('NOTE-1', 'one'), turn({ turn: 1 }), ticket('T-1', { parent: 'T-0' })]);
    await store.upsert(note('NOTE-1', 'two'));
    const before = await exported(store);
    expect(await exported(await opened.reopen())).toEqual(before);
  });
});

describeOnBackends('deleting', (backend) => {
  it('closes the current version and leaves the history', async () => {
    const { store, clock } = await openForTest(backend);
    const { uuid } = await store.upsert(note('NOTE-1', 'text'));
    clock.advance(1000);
    expect(await store.delete(NOTES, 'NOTE-1')).toBe(true);
    expect(await store.get(NOTES, 'NOTE-1')).toBeUndefined();
    expect(await store.list(NOTES)).toEqual([]);
    expect(await store.history(NOTES, 'NOTE-1')).toMatchObject([
      { uuid, invalid_at: clock.iso(), expired_at: clock.iso() },
    ]);
  });

  it('returns whether there was something to delete', async () => {
    const { store } = await openForTest(backend);
    await store.upsert(note('NOTE-1', 'text'));
    expect(await store.delete(NOTES, 'NOTE-2')).toBe(false);
    expect(await store.delete('demo__architecture', 'NOTE-1')).toBe(false);
    await store.delete(NOTES, 'NOTE-1');
    expect(await store.delete(NOTES, 'NOTE-1')).toBe(false);
  });

  it('lets the same body be created again, as a new version', async () => {
    const { store, clock } = await openForTest(backend);
    const { uuid } = await store.upsert(note('NOTE-1', 'text'));
    await store.delete(NOTES, 'NOTE-1');
    clock.advance(1000);
    const again = await store.upsert(note('NOTE-1', 'text'));
    expect(again).toEqual({ action: 'created', uuid: expect.any(String) });
    expect((await store.history(NOTES, 'NOTE-1')).map((version) => version.uuid)).toEqual([uuid, again.uuid]);
  });

  it('has no history of an unknown entity', async () => {
    const { store } = await openForTest(backend);
    expect(await store.history(NOTES, 'NOTE-1')).toEqual([]);
    expect(await store.get(NOTES, 'NOTE-1')).toBeUndefined();
  });
});

describeOnBackends('writing many at once', (backend) => {
  it('answers for each in order', async () => {
    const { store } = await openForTest(backend);
    await store.upsertMany([note('NOTE-1', 'one'), note('NOTE-2', 'two')]);
    const results = await store.upsertMany([
      note('NOTE-2', 'two'),
      note('NOTE-1', 'new'),
      note('NOTE-3', 'three'),
    ]);
    expect(results?.map(({ action }) => action)).toEqual(['unchanged', 'updated', 'created']);
  });

  it('writes nothing if one of them is refused', async () => {
    const { store } = await openForTest(backend);
    await store.upsert(note('NOTE-1', 'before'));
    const before = await exported(store);
    const batch = [note('NOTE-1', 'after'), note('NOTE-2', 'new'), turn({ turn: 0 }), note('NOTE-3', 'new')];
    await expect(store.upsertMany(batch)).rejects.toEqual(refusal('entity.invalid-body', 'turn_number'));
    expect(await exported(store)).toEqual(before);
  });

  it('takes the same entity twice in one call as two versions', async () => {
    const { store } = await openForTest(backend);
    const results = await store.upsertMany([note('NOTE-1', 'a'), note('NOTE-1', 'b'), note('NOTE-1', 'b')]);
    expect(results?.map(({ action }) => action)).toEqual(['created', 'updated', 'unchanged']);
    expect(results?.[1]?.previousUuid).toBe(results?.[0]?.uuid);
    expect(await store.history(NOTES, 'NOTE-1')).toHaveLength(2);
  });

  it('does nothing for an empty list', async () => {
    const { store } = await openForTest(backend);
    expect(await store.upsertMany([])).toEqual([]);
  });

  it('writes a thousand in one call', async () => {
    const { store } = await openForTest(backend);
    const inputs = Array.from({ length: 1000 }, (_, index) => note(`NOTE-${index}`, `text ${index}`));
    const results = await store.upsertMany(inputs);
    expect(new Set(results?.map(({ uuid }) => uuid)).size).toBe(1000);
    expect(await store.counts()).toEqual([{ group: NOTES, episodes: 1000, versions: 1000 }]);
  });

  it('keeps concurrent calls apart', async () => {
    const { store } = await openForTest(backend);
    const calls = Array.from({ length: 40 }, (_, index) =>
      store.upsert(note(`NOTE-${index % 4}`, `text ${index}`)),
    );
    const results = await Promise.all(calls);
    expect(new Set(results.map(({ uuid }) => uuid)).size).toBe(40);
    expect(results.filter(({ action }) => action === 'created')).toHaveLength(4);
    expect(await store.counts()).toEqual([{ group: NOTES, episodes: 4, versions: 40 }]);
  });
});

describeOnBackends('a write of a numbered stream', (backend) => {
  const once = (number: number, stream = 'machine-1') => ({ once: { stream, number } });

  it('is applied once, however often it is delivered', async () => {
    const { store } = await openForTest(backend);
    expect(await store.upsertMany([note('NOTE-1', 'one')], once(1))).toMatchObject([{ action: 'created' }]);
    const before = await exported(store);
    expect(await store.upsertMany([note('NOTE-1', 'one')], once(1))).toBeUndefined();
    expect(await store.upsertMany([note('NOTE-1', 'forged')], once(1))).toBeUndefined();
    expect(await exported(store)).toEqual(before);
  });

  it('is never applied after a later one', async () => {
    const { store } = await openForTest(backend);
    await store.upsertMany([note('NOTE-1', 'later')], once(7));
    expect(await store.upsertMany([note('NOTE-1', 'earlier')], once(3))).toBeUndefined();
    expect(await store.upsertMany([note('NOTE-1', 'next')], once(8))).toMatchObject([{ action: 'updated' }]);
    expect(await store.get(NOTES, 'NOTE-1')).toMatchObject({ body: { text: 'next' } });
  });

  it('does not block another stream', async () => {
    const { store } = await openForTest(backend);
    await store.upsertMany([note('NOTE-1', 'one')], once(5));
    const other = await store.upsertMany([note('NOTE-2', 'two')], once(1, 'machine-2'));
    expect(other).toMatchObject([{ action: 'created' }]);
  });

  it('does not count when it is refused', async () => {
    const { store } = await openForTest(backend);
    await expect(store.upsertMany([turn({ turn: 0 })], once(1))).rejects.toEqual(
      refusal('entity.invalid-body'),
    );
    expect(await store.upsertMany([turn({ turn: 1 })], once(1))).toMatchObject([{ action: 'created' }]);
  });

  it('may be empty, and still advances the stream', async () => {
    const { store } = await openForTest(backend);
    expect(await store.upsertMany([], once(1))).toEqual([]);
    expect(await store.upsertMany([note('NOTE-1', 'one')], once(1))).toBeUndefined();
  });

  it('is remembered after closing and reopening', async () => {
    const { store, opened } = await openForTest(backend);
    await store.upsertMany([note('NOTE-1', 'one')], once(2));
    const reopened = await opened.reopen();
    expect(await reopened.upsertMany([note('NOTE-1', 'other')], once(2))).toBeUndefined();
  });

  it('is applied by one of two programs that deliver it at the same time', async () => {
    const { store, opened } = await openForTest(backend);
    const other = await opened.openAnother();
    for (let number = 1; number <= 20; number++) {
      const results = await Promise.all([
        store.upsertMany([note('NOTE-1', `${number} from here`)], once(number)),
        other.upsertMany([note('NOTE-1', `${number} from there`)], once(number)),
      ]);
      expect(results.filter((result) => result !== undefined)).toHaveLength(1);
    }
    expect(await store.history(NOTES, 'NOTE-1')).toHaveLength(20);
  });
});

describeOnBackends('counting', (backend) => {
  it('returns the current episodes and all versions per group, sorted by name', async () => {
    const { store } = await openForTest(backend);
    await store.upsertMany([note('NOTE-1', 'one'), note('NOTE-2', 'two'), turn({ turn: 1 }), ticket('T-1')]);
    await store.upsert(note('NOTE-1', 'changed'));
    await store.delete(NOTES, 'NOTE-2');
    await store.upsert(note('NOTE-1', 'x', { group: 'a_project__architecture' }));
    await store.upsert(note('NOTE-1', 'x', { group: 'B-project__architecture' }));
    expect(await store.counts()).toEqual([
      { group: 'B-project__architecture', episodes: 1, versions: 1 },
      { group: 'a_project__architecture', episodes: 1, versions: 1 },
      { group: NOTES, episodes: 1, versions: 3 },
      { group: TICKETS, episodes: 1, versions: 1 },
      { group: TURNS, episodes: 1, versions: 1 },
    ]);
  });

  it('returns nothing for an empty store', async () => {
    const { store } = await openForTest(backend);
    expect(await store.counts()).toEqual([]);
  });

  it('describes the store', async () => {
    const { store } = await openForTest(backend);
    const info = await store.info();
    expect(info).toEqual({
      backend: backend.name === 'SQLite' ? 'sqlite' : 'postgres',
      location: expect.stringMatching(/./),
      sizeBytes: expect.any(Number),
      schemaVersion: expect.any(Number),
      embeddings: { enabled: false },
    });
    expect(info.sizeBytes).toBeGreaterThan(0);
    expect(info.location).not.toContain('for-tests-only');
  });
});

describeOnBackends('closing', (backend) => {
  it('may be done twice', async () => {
    const { opened } = await openForTest(backend);
    const other = await opened.openAnother();
    await other.close();
    await expect(other.close()).resolves.toBeUndefined();
  });

  it('waits for earlier calls', async () => {
    const { store, opened } = await openForTest(backend);
    const other = await opened.openAnother();
    const calls = Array.from({ length: 20 }, (_, index) => other.upsert(note(`NOTE-${index}`, 'text')));
    await other.close();
    await Promise.all(calls);
    expect(await store.counts()).toEqual([{ group: NOTES, episodes: 20, versions: 20 }]);
  });
});
