import { expect, it } from 'vitest';
import type { Episode } from '../../src/domain/entities/episode.ts';
import type { EpisodeStore, Filter, FilterValue, ListOptions } from '../../src/store/episode-store.ts';
import { describeOnBackends } from '../support/backends.ts';
import type { FakeClock } from './fake-clock.ts';
import { NOTES, note, TURNS, turn } from './inputs.ts';
import { openForSuite, openForTest, refusal } from './open-for-test.ts';
import { TICKETS, ticket } from './ticket.ts';

const ids = (episodes: readonly Episode[]) => episodes.map(({ entity_id }) => entity_id);

/** One ticket per second, T-1 the oldest. */
async function addTickets(store: EpisodeStore, clock: FakeClock): Promise<void> {
  for (const input of [
    ticket('T-1', { priority: 2, urgent: true, labels: ['ui', 'slow'], parent: 'EPIC-1' }, { source: 'cli' }),
    ticket('T-2', { priority: 10, labels: ['Ui'], parent: 'EPIC-1' }),
    ticket('T-3', { priority: null, labels: [] }, { source: 'hook' }),
    ticket('T-4', { priority: -0.5, urgent: true, labels: ['slow'], parent: 'EPIC-2' }),
    ticket('T-5', { priority: 2, labels: ['zeta', 'ui'] }, { valid_at: '2020-01-01' }),
  ]) {
    clock.advance(1000);
    await store.upsert(input);
  }
}

describeOnBackends('listing', (backend) => {
  const suite = openForSuite(backend, addTickets);
  const listed = async (options: ListOptions) => ids(await suite().list(TICKETS, options));
  /** Sorted, for tests of the selection and not of its order. */
  const chosen = async (...where: Filter[]) => (await listed({ where })).sort();

  type Operator = 'eq' | 'ne' | 'lt' | 'lte' | 'gt' | 'gte';
  const cases: [field: string, op: Operator, value: FilterValue, expected: string[]][] = [
    ['priority', 'eq', 2, ['T-1', 'T-5']],
    ['priority', 'ne', 2, ['T-2', 'T-3', 'T-4']],
    ['priority', 'lt', 2, ['T-4']],
    ['priority', 'lte', 2, ['T-1', 'T-4', 'T-5']],
    ['priority', 'gt', 2, ['T-2']],
    ['priority', 'gte', 2, ['T-1', 'T-2', 'T-5']],
    ['priority', 'eq', null, ['T-3']],
    ['priority', 'ne', null, ['T-1', 'T-2', 'T-4', 'T-5']],
    ['priority', 'lt', null, []],
    ['priority', 'gte', null, []],
    ['urgent', 'eq', true, ['T-1', 'T-4']],
    ['urgent', 'eq', false, ['T-2', 'T-3', 'T-5']],
    ['urgent', 'ne', true, ['T-2', 'T-3', 'T-5']],
    ['labels', 'eq', 'ui', ['T-1', 'T-5']],
    ['labels', 'ne', 'ui', ['T-2', 'T-3', 'T-4']],
    ['labels', 'gt', 'slow', ['T-1', 'T-5']],
    ['labels', 'eq', null, ['T-3']],
    ['labels', 'ne', null, ['T-1', 'T-2', 'T-4', 'T-5']],
    ['parent', 'eq', 'EPIC-1', ['T-1', 'T-2']],
    ['parent', 'eq', null, ['T-3', 'T-5']],
    ['parent', 'eq', 'epic-1', []],
    ['parent', 'gt', 'EPIC-1', ['T-4']],
    ['entity_id', 'eq', 'T-3', ['T-3']],
    ['entity_id', 'gte', 'T-4', ['T-4', 'T-5']],
    ['entity_id', 'ne', 'T-1', ['T-2', 'T-3', 'T-4', 'T-5']],
    ['entity_type', 'eq', 'ticket', ['T-1', 'T-2', 'T-3', 'T-4', 'T-5']],
    ['entity_type', 'eq', 'note', []],
    ['source', 'eq', 'cli', ['T-1']],
    ['source', 'ne', 'api', ['T-1', 'T-3']],
    ['source', 'lt', 'cli', ['T-2', 'T-4', 'T-5']],
    ['created_at', 'gt', '2026-01-01T00:00:03Z', ['T-4', 'T-5']],
    ['created_at', 'lte', '2026-01-01T00:00:02Z', ['T-1', 'T-2']],
    ['created_at', 'eq', '2026-01-01T01:00:03+01:00', ['T-3']],
    ['valid_at', 'lt', '2021-01-01', ['T-5']],
    ['valid_at', 'ne', '2020-01-01', ['T-1', 'T-2', 'T-3', 'T-4']],
  ];

  it.each(cases)('selects by %s %s %s', async (field, op, value, expected) => {
    expect(await chosen({ field, op, value })).toEqual(expected);
  });

  it.each<[string, NonNullable<FilterValue>[], string[]]>([
    ['priority', [2, 10], ['T-1', 'T-2', 'T-5']],
    ['labels', ['slow', 'zeta'], ['T-1', 'T-4', 'T-5']],
    ['labels', [], []],
    ['urgent', [true, false], ['T-1', 'T-2', 'T-3', 'T-4', 'T-5']],
    ['entity_id', ['T-1', 'T-9'], ['T-1']],
    ['valid_at', ['2020-01-01'], ['T-5']],
  ])('selects by %s in %j, each entity once', async (field, value, expected) => {
    expect(await chosen({ field, op: 'in', value })).toEqual(expected);
  });

  it('combines filters with "and", also on one field', async () => {
    expect(
      await chosen({ field: 'priority', op: 'gte', value: 0 }, { field: 'priority', op: 'lt', value: 10 }),
    ).toEqual(['T-1', 'T-5']);
    expect(
      await chosen({ field: 'labels', op: 'eq', value: 'ui' }, { field: 'labels', op: 'eq', value: 'slow' }),
    ).toEqual(['T-1']);
    expect(
      await chosen(
        { field: 'parent', op: 'eq', value: 'EPIC-1' },
        { field: 'urgent', op: 'eq', value: false },
        { field: 'created_at', op: 'gt', value: '2026-01-01' },
        { field: 'labels', op: 'ne', value: 'slow' },
      ),
    ).toEqual(['T-2']);
  });

  it('never confuses texts and numbers', async () => {
    const { store } = await openForTest(backend);
    await store.upsertMany([
      ticket('T-1', { priority: 2, parent: '2' }),
      ticket('T-2', { priority: 30, parent: '30' }),
    ]);
    const chosen = async (filter: Filter) => ids(await store.list(TICKETS, { where: [filter] }));
    expect(await chosen({ field: 'priority', op: 'eq', value: '2' })).toEqual([]);
    expect(await chosen({ field: 'priority', op: 'lt', value: 'x' })).toEqual([]);
    expect(await chosen({ field: 'priority', op: 'gt', value: '' })).toEqual([]);
    expect(await chosen({ field: 'parent', op: 'eq', value: 2 })).toEqual([]);
    expect(await chosen({ field: 'parent', op: 'gt', value: 1 })).toEqual([]);
    // As text, 30 comes after 2 by its first digit, not by its size.
    expect(await chosen({ field: 'parent', op: 'gt', value: '2' })).toEqual(['T-2']);
  });

  it('compares text by its characters, not by the rules of a language', async () => {
    const { store } = await openForTest(backend);
    const parents = ['a', 'B', 'Z', '_', 'é', 'aB', 'a-b', 'ab'];
    await store.upsertMany(parents.map((parent, index) => ticket(`T-${index}`, { parent })));
    const byParent = { orderBy: { field: 'parent', direction: 'asc' } } as const;
    const listed = async (options: ListOptions) =>
      (await store.list(TICKETS, options)).map(({ body }) => body.parent);
    expect(await listed(byParent)).toEqual([...parents].sort());
    const upper = await listed({ ...byParent, where: [{ field: 'parent', op: 'lt', value: 'a' }] });
    expect(upper).toEqual(['B', 'Z', '_']);
  });

  it('returns the newest first by default', async () => {
    const { store, clock } = await openForTest(backend);
    await addTickets(store, clock);
    expect(ids(await store.list(TICKETS))).toEqual(['T-5', 'T-4', 'T-3', 'T-2', 'T-1']);
    clock.advance(1000);
    await store.upsert(ticket('T-2', { title: 'changed' }));
    expect(ids(await store.list(TICKETS))).toEqual(['T-2', 'T-5', 'T-4', 'T-3', 'T-1']);
  });

  it('sorts by fields and columns, both ways, ties always newest first', async () => {
    const chain = (field: string, direction: 'asc' | 'desc') =>
      listed({ orderBy: { field, direction }, where: [{ field: 'priority', op: 'ne', value: null }] });
    expect(await chain('priority', 'asc')).toEqual(['T-4', 'T-5', 'T-1', 'T-2']);
    expect(await chain('priority', 'desc')).toEqual(['T-2', 'T-5', 'T-1', 'T-4']);
    expect(await chain('entity_id', 'asc')).toEqual(['T-1', 'T-2', 'T-4', 'T-5']);
    expect(await chain('entity_id', 'desc')).toEqual(['T-5', 'T-4', 'T-2', 'T-1']);
    expect(await chain('valid_at', 'asc')).toEqual(['T-5', 'T-1', 'T-2', 'T-4']);
    expect(await chain('created_at', 'asc')).toEqual(['T-1', 'T-2', 'T-4', 'T-5']);
    expect(await chain('entity_type', 'asc')).toEqual(['T-5', 'T-4', 'T-2', 'T-1']);
    expect(await chain('urgent', 'desc')).toEqual(['T-4', 'T-1', 'T-5', 'T-2']);
  });

  it('sorts entities without the field below all others', async () => {
    const byPriority = (direction: 'asc' | 'desc') => listed({ orderBy: { field: 'priority', direction } });
    expect(await byPriority('asc')).toEqual(['T-3', 'T-4', 'T-5', 'T-1', 'T-2']);
    expect(await byPriority('desc')).toEqual(['T-2', 'T-5', 'T-1', 'T-4', 'T-3']);
  });

  it('keeps the order of writing within one millisecond', async () => {
    const { store } = await openForTest(backend);
    await store.upsertMany(['T-b', 'T-c', 'T-a'].map((id) => ticket(id)));
    expect(ids(await store.list(TICKETS))).toEqual(['T-a', 'T-c', 'T-b']);
  });

  it('applies limit and offset', async () => {
    expect(await listed({ limit: 2 })).toEqual(['T-5', 'T-4']);
    expect(await listed({ limit: 2, offset: 2 })).toEqual(['T-3', 'T-2']);
    expect(await listed({ offset: 3 })).toEqual(['T-2', 'T-1']);
    expect(await listed({ limit: 0 })).toEqual([]);
    expect(await listed({ offset: 99 })).toEqual([]);
    expect(await listed({ limit: 1, where: [{ field: 'priority', op: 'eq', value: 2 }] })).toEqual(['T-5']);
  });

  it('pages through a group without gaps or duplicates', async () => {
    const { store } = await openForTest(backend);
    await store.upsertMany(
      Array.from({ length: 57 }, (_, index) => ticket(`T-${index}`, { priority: index % 3 })),
    );
    const seen: string[] = [];
    for (let offset = 0; ; offset += 10) {
      const orderBy = { field: 'priority', direction: 'asc' } as const;
      const page = ids(await store.list(TICKETS, { orderBy, limit: 10, offset }));
      if (page.length === 0) break;
      seen.push(...page);
    }
    expect(seen).toHaveLength(57);
    expect(new Set(seen).size).toBe(57);
  });

  it('returns every entity of a group without a limit', async () => {
    const { store } = await openForTest(backend);
    await store.upsertMany(Array.from({ length: 1500 }, (_, index) => note(`NOTE-${index}`, 'text')));
    expect(await store.list(NOTES)).toHaveLength(1500);
  });

  it('returns nothing for an empty group', async () => {
    const { store } = await openForTest(backend);
    expect(await store.list(TICKETS)).toEqual([]);
    expect(await store.list(TICKETS, { where: [{ field: 'priority', op: 'eq', value: 1 }] })).toEqual([]);
  });

  it.each([
    [
      'a field that is not declared',
      { where: [{ field: 'title', op: 'eq', value: 'x' }] },
      'list.unknown-field',
    ],
    ['an order that is not declared', { orderBy: { field: 'body', direction: 'asc' } }, 'list.unknown-field'],
    ['an unreadable time', { where: [{ field: 'created_at', op: 'lt', value: 'now' }] }, 'time.format'],
  ] as [string, ListOptions, string][])(
    'refuses %s, also in an empty group',
    async (_what, options, code) => {
      const { store } = await openForTest(backend);
      await expect(store.list(TICKETS, options)).rejects.toEqual(refusal(code));
      await store.upsert(ticket('T-1'));
      await expect(store.list(TICKETS, options)).rejects.toEqual(refusal(code));
    },
  );

  it.each([{ limit: -1 }, { limit: 1.5 }, { limit: Number.NaN }, { offset: -1 }, { offset: 0.5 }])(
    'refuses %j',
    async (options) => {
      await expect(suite().list(TICKETS, options)).rejects.toMatchObject({
        name: 'GuardKitError',
        kind: 'input',
      });
    },
  );

  it('refuses an invalid group', async () => {
    const { store } = await openForTest(backend);
    const illegal = refusal('group.illegal');
    await expect(store.list('No Group')).rejects.toEqual(illegal);
    await expect(store.get('No Group', 'X')).rejects.toEqual(illegal);
    await expect(store.latest('No Group')).rejects.toEqual(illegal);
    await expect(store.history('No Group', 'X')).rejects.toEqual(illegal);
    await expect(store.delete('No Group', 'X')).rejects.toEqual(illegal);
    await expect(store.purge('No Group')).rejects.toEqual(illegal);
    await expect(store.search('x', { groups: ['No Group'] })).rejects.toEqual(illegal);
    await expect(store.find('x', { groups: ['No Group'] })).rejects.toEqual(illegal);
  });

  it('treats filter values as values, never as SQL', async () => {
    const store = suite();
    for (const value of ["' OR '1'='1", '1; DROP TABLE episode', '\\', '%', '\u0000', '\ud800', '$1', '?']) {
      for (const field of ['parent', 'source', 'entity_id']) {
        expect(await store.list(TICKETS, { where: [{ field, op: 'eq', value }] })).toEqual([]);
      }
      expect(await store.get(TICKETS, value)).toBeUndefined();
      expect(await store.history(TICKETS, value)).toEqual([]);
      expect(await store.delete(TICKETS, value)).toBe(false);
      expect(await store.find(value)).toEqual([]);
      expect(await store.neighbours({ scope: value, id: value })).toEqual([]);
    }
    expect(await store.list(TICKETS)).toHaveLength(5);
  });
});

describeOnBackends('the latest', (backend) => {
  it('is the turn with the highest number, not the one written last', async () => {
    const { store, clock } = await openForTest(backend);
    for (const number of [2, 10, 9, 1]) {
      clock.advance(1000);
      await store.upsert(turn({ turn: number }));
    }
    expect(await store.latest(TURNS)).toMatchObject({ body: { turn_number: 10 } });
    clock.advance(1000);
    await store.upsert(turn({ turn: 1 }, { player_summary: 'written again' }));
    expect(await store.latest(TURNS)).toMatchObject({ body: { turn_number: 10 } });
  });

  it('respects the filters', async () => {
    const { store } = await openForTest(backend);
    await store.upsertMany([
      turn({ task: 'TASK-1', turn: 1 }, { coach_decision: 'rejected' }),
      turn({ task: 'TASK-1', turn: 2 }),
      turn({ task: 'TASK-2', turn: 7 }),
      turn({ feature: 'FEAT-B', task: 'TASK-1', turn: 9 }),
    ]);
    const latest = async (...where: Filter[]) => (await store.latest(TURNS, { where }))?.entity_id;
    const ofTask = { field: 'task_id', op: 'eq', value: 'TASK-1' } as const;
    const ofFeature = { field: 'feature_id', op: 'eq', value: 'FEAT-AUTH' } as const;
    expect(await latest(ofTask, ofFeature)).toBe('TURN-FEAT-AUTH-TASK-1-T2');
    expect(await latest(ofTask)).toBe('TURN-FEAT-B-TASK-1-T9');
    expect(await latest({ field: 'coach_decision', op: 'eq', value: 'rejected' })).toBe(
      'TURN-FEAT-AUTH-TASK-1-T1',
    );
    expect(await latest(ofTask, ofFeature, { field: 'turn_number', op: 'lt', value: 2 })).toBe(
      'TURN-FEAT-AUTH-TASK-1-T1',
    );
    expect(await latest({ field: 'task_id', op: 'eq', value: 'TASK-9' })).toBeUndefined();
  });

  it('is the one written last if the type has no order', async () => {
    const { store, clock } = await openForTest(backend);
    await store.upsert(note('NOTE-1', 'one'));
    clock.advance(1000);
    await store.upsert(note('NOTE-2', 'two', { valid_at: '2020-01-01' }));
    expect(await store.latest(NOTES)).toMatchObject({ entity_id: 'NOTE-2' });
    clock.advance(1000);
    await store.upsert(note('NOTE-1', 'changed'));
    expect(await store.latest(NOTES)).toMatchObject({ entity_id: 'NOTE-1' });
  });

  it('is undefined in an empty group', async () => {
    const { store } = await openForTest(backend);
    expect(await store.latest(TURNS)).toBeUndefined();
  });
});

describeOnBackends('finding by id', (backend) => {
  it('returns what has the id in every group, or in the requested ones', async () => {
    const { store } = await openForTest(backend);
    await store.upsertMany([
      note('AUTH', 'one', { group: 'demo__architecture' }),
      note('AUTH', 'two', { group: 'demo__failure_patterns' }),
      note('AUTH', 'three', { group: 'other__architecture' }),
      note('AUTH-2', 'four'),
    ]);
    const groups = (await store.find('AUTH')).map(({ group }) => group);
    expect(groups.sort()).toEqual(['demo__architecture', 'demo__failure_patterns', 'other__architecture']);
    const some = await store.find('AUTH', { groups: ['demo__architecture', 'demo__turn_states'] });
    expect(some).toMatchObject([{ group: 'demo__architecture', body: { text: 'one' } }]);
    expect(await store.find('AUTH', { groups: [] })).toEqual([]);
    expect(await store.find('NOPE')).toEqual([]);
  });

  it('expands the short form of a turn to every turn it may mean', async () => {
    const { store } = await openForTest(backend);
    await store.upsertMany([
      turn({ task: 'TASK-1', turn: 2 }),
      turn({ task: 'TASK-2', turn: 2 }),
      turn({ task: 'TASK-1', turn: 3 }),
      turn({ feature: 'FEAT', task: 'TASK-1', turn: 2 }),
      turn({ task: 'TASK-1', turn: 2 }, {}, { group: 'other__turn_states' }),
    ]);
    const found = async (id: string, groups?: string[]) => ids(await store.find(id, { groups })).sort();
    expect(await found('TURN-FEAT-AUTH-2', [TURNS])).toEqual([
      'TURN-FEAT-AUTH-TASK-1-T2',
      'TURN-FEAT-AUTH-TASK-2-T2',
    ]);
    expect(await found('TURN-FEAT-AUTH-2')).toHaveLength(3);
    expect(await found('TURN-FEAT-2')).toEqual(['TURN-FEAT-TASK-1-T2']);
    expect(await found('TURN-FEAT-AUTH-4')).toEqual([]);
    expect(await found('TURN-FEAT-AUTH-TASK-1-T2', [TURNS])).toEqual(['TURN-FEAT-AUTH-TASK-1-T2']);
  });

  it('omits deleted entities', async () => {
    const { store } = await openForTest(backend);
    await store.upsert(turn({ turn: 2 }));
    await store.delete(TURNS, 'TURN-FEAT-AUTH-TASK-1-T2');
    expect(await store.find('TURN-FEAT-AUTH-TASK-1-T2')).toEqual([]);
    expect(await store.find('TURN-FEAT-AUTH-2')).toEqual([]);
  });
});
