import { expect, it } from 'vitest';
import type { EntityRef, EpisodeStore, NeighbourOptions } from '../../src/store/episode-store.ts';
import { describeOnBackends, describeOnSqliteFirst } from '../support/backends.ts';
import { turn } from './inputs.ts';
import { exported, openForTest, refusal } from './open-for-test.ts';
import { TICKETS, ticket } from './ticket.ts';

const demo = (id: string): EntityRef => ({ scope: 'demo', id });

/** Neighbours as `direction relation id@depth`. */
async function around(store: EpisodeStore, id: string, options?: NeighbourOptions): Promise<string[]> {
  const found = await store.neighbours(demo(id), options);
  return found
    .map(({ direction, relation, id: other, depth }) => `${direction} ${relation} ${other}@${depth}`)
    .sort();
}

describeOnSqliteFirst('declared relations', (backend) => {
  it('exist as soon as the entity does, visible from both ends', async () => {
    const { store } = await openForTest(backend);
    await store.upsert(turn({ turn: 1 }));
    const via = demo('TURN-FEAT-AUTH-TASK-1-T1');
    const step = { scope: 'demo', direction: 'out', depth: 1, via };
    expect(await store.neighbours(via)).toEqual([
      { ...step, id: 'FEAT-AUTH', relation: 'part_of' },
      { ...step, id: 'TASK-1', relation: 'turn_of' },
    ]);
    expect(await around(store, 'TASK-1')).toEqual(['in turn_of TURN-FEAT-AUTH-TASK-1-T1@1']);
  });

  it('follow the updates of their entity', async () => {
    const { store } = await openForTest(backend);
    await store.upsert(ticket('T-1', { parent: 'EPIC-1', blocked_by: ['T-2', 'T-3'] }));
    await store.upsert(ticket('T-1', { parent: 'EPIC-2', blocked_by: ['T-3', 'T-4'] }));
    expect(await around(store, 'T-1')).toEqual([
      'out blocked_by T-3@1',
      'out blocked_by T-4@1',
      'out child_of EPIC-2@1',
    ]);
    expect(await around(store, 'EPIC-1')).toEqual([]);
    await store.upsert(ticket('T-1'));
    expect(await around(store, 'T-1')).toEqual([]);
  });

  it('end with their entity and return with it', async () => {
    const { store } = await openForTest(backend);
    await store.upsert(ticket('T-1', { parent: 'EPIC-1' }));
    await store.delete(TICKETS, 'T-1');
    expect(await around(store, 'EPIC-1')).toEqual([]);
    await store.upsert(ticket('T-1', { parent: 'EPIC-1' }));
    expect(await around(store, 'EPIC-1')).toEqual(['in child_of T-1@1']);
  });

  it('stay while any entity of that id declares them', async () => {
    const { store } = await openForTest(backend);
    await store.upsertMany([
      ticket('T-1', { parent: 'EPIC-1' }),
      ticket('T-1', { parent: 'EPIC-1' }, { group: 'demo__archive' }),
    ]);
    await store.delete(TICKETS, 'T-1');
    expect(await around(store, 'EPIC-1')).toEqual(['in child_of T-1@1']);
    await store.delete('demo__archive', 'T-1');
    expect(await around(store, 'EPIC-1')).toEqual([]);
  });

  it('are those of the past in a read of the past', async () => {
    const { store, clock } = await openForTest(backend);
    clock.set('2026-03-01T00:00:00Z');
    await store.upsert(ticket('T-1', { parent: 'EPIC-1' }));
    clock.set('2026-03-05T00:00:00Z');
    await store.upsert(ticket('T-1', { parent: 'EPIC-2' }));
    clock.set('2026-03-09T00:00:00Z');
    await store.delete(TICKETS, 'T-1');
    const at = (asOf: NeighbourOptions['asOf']) => around(store, 'T-1', { asOf });
    expect(await at('2026-02-01')).toEqual([]);
    expect(await at('2026-03-02')).toEqual(['out child_of EPIC-1@1']);
    expect(await at('2026-03-05')).toEqual(['out child_of EPIC-2@1']);
    expect(await at('2026-03-10')).toEqual([]);
    expect(await at({ knownAt: '2026-03-02' })).toEqual(['out child_of EPIC-1@1']);
    expect(await at({ validAt: '2026-03-20', knownAt: '2026-03-02' })).toEqual(['out child_of EPIC-1@1']);
    expect(await at({ validAt: '2026-03-02', knownAt: '2026-03-06' })).toEqual(['out child_of EPIC-1@1']);
  });

  it('are as old as the version that declares them, if that is backdated', async () => {
    const { store, clock } = await openForTest(backend);
    clock.set('2026-03-10T00:00:00Z');
    await store.upsert(ticket('T-1', { parent: 'EPIC-1' }));
    clock.set('2026-03-11T00:00:00Z');
    await store.upsert(ticket('T-1', { parent: 'EPIC-1', title: 'corrected' }, { valid_at: '2026-03-02' }));
    expect(await store.get(TICKETS, 'T-1', { asOf: '2026-03-03' })).toMatchObject({
      body: { parent: 'EPIC-1' },
    });
    expect(await around(store, 'T-1', { asOf: '2026-03-03' })).toEqual(['out child_of EPIC-1@1']);
  });

  it('are always those of the version in force, even if a correction reaches back', async () => {
    const { store, clock } = await openForTest(backend);
    for (const [on, parent, from] of [
      [10, 'EPIC-1', 5],
      [11, 'EPIC-2', 8],
      [12, 'EPIC-3', 3],
    ] as const) {
      clock.set(`2026-03-${on}T00:00:00Z`);
      await store.upsert(ticket('T-1', { parent }, { valid_at: `2026-03-0${from}` }));
    }
    for (const asOf of ['2026-03-04', '2026-03-06', '2026-03-09']) {
      expect(await store.get(TICKETS, 'T-1', { asOf })).toMatchObject({ body: { parent: 'EPIC-3' } });
      expect(await around(store, 'T-1', { asOf })).toEqual(['out child_of EPIC-3@1']);
    }
  });

  it('do not cross projects', async () => {
    const { store } = await openForTest(backend);
    await store.upsert(ticket('T-1', { parent: 'EPIC-1' }));
    await store.upsert(ticket('T-1', { parent: 'EPIC-2' }, { group: 'other__tickets' }));
    expect(await around(store, 'T-1')).toEqual(['out child_of EPIC-1@1']);
    expect(await store.neighbours({ scope: 'other', id: 'T-1' })).toMatchObject([
      { scope: 'other', id: 'EPIC-2' },
    ]);
  });
});

describeOnSqliteFirst('explicit relations', (backend) => {
  const relation = { from: demo('G-1'), relation: 'made_from', to: demo('P-1') };

  it('exist once, however often they are added', async () => {
    const { store, clock } = await openForTest(backend);
    expect(await store.relate(relation)).toBe(true);
    const before = await exported(store);
    clock.advance(1000);
    expect(await store.relate(relation)).toBe(false);
    expect(await exported(store)).toEqual(before);
    expect(await around(store, 'G-1')).toEqual(['out made_from P-1@1']);
  });

  it('may link entities without episodes, and the system with a project', async () => {
    const { store } = await openForTest(backend);
    await store.relate({ from: demo('G-1'), relation: 'refines', to: { scope: '', id: 'ROLE-player' } });
    expect(await store.neighbours({ scope: '', id: 'ROLE-player' })).toMatchObject([
      { scope: 'demo', id: 'G-1', direction: 'in' },
    ]);
  });

  it('stay when an entity at their start changes or ends', async () => {
    const { store } = await openForTest(backend);
    await store.upsert(ticket('T-1', { parent: 'EPIC-1' }));
    await store.relate({ from: demo('T-1'), relation: 'made_from', to: demo('P-1') });
    await store.upsert(ticket('T-1', { parent: 'EPIC-2' }));
    expect(await around(store, 'T-1')).toEqual(['out child_of EPIC-2@1', 'out made_from P-1@1']);
    await store.delete(TICKETS, 'T-1');
    expect(await around(store, 'T-1')).toEqual(['out made_from P-1@1']);
  });

  it('are valid from the given time', async () => {
    const { store } = await openForTest(backend);
    await store.relate({ ...relation, valid_at: '2020-06-01' });
    expect(await around(store, 'G-1', { asOf: '2020-05-31' })).toEqual([]);
    expect(await around(store, 'G-1', { asOf: '2020-06-02' })).toEqual(['out made_from P-1@1']);
  });

  it.each([
    ['an illegal relation', { ...relation, relation: 'made from' }, 'relation.illegal'],
    ['an empty relation', { ...relation, relation: '' }, 'relation.illegal'],
    ['an illegal id', { ...relation, to: demo('P 1') }, 'entity.illegal-id'],
    ['an illegal project', { ...relation, to: { scope: 'no project', id: 'P-1' } }, 'group.illegal'],
    ['an unreadable time', { ...relation, valid_at: 'soon' }, 'time.format'],
  ])('are refused with %s', async (_what, input, code) => {
    const { store } = await openForTest(backend);
    await expect(store.relate(input)).rejects.toEqual(refusal(code));
    expect(await exported(store)).toEqual([]);
  });
});

describeOnBackends('walking relations', (backend) => {
  /** a → b → c → d → a, with a branch from b to e. */
  async function openRing() {
    const { store } = await openForTest(backend);
    for (const [from, relation, to] of [
      ['A', 'next', 'B'],
      ['B', 'next', 'C'],
      ['C', 'next', 'D'],
      ['D', 'next', 'A'],
      ['B', 'aside', 'E'],
    ] as const) {
      await store.relate({ from: demo(from), relation, to: demo(to) });
    }
    return store;
  }

  it('goes one step by default', async () => {
    const store = await openRing();
    expect(await around(store, 'A')).toEqual(['in next D@1', 'out next B@1']);
  });

  it('goes to the given depth, visits each entity once, and stops in a cycle', async () => {
    const store = await openRing();
    const two = ['in next C@2', 'in next D@1', 'out aside E@2', 'out next B@1'];
    const found = await around(store, 'A', { depth: 2 });
    // C is two steps away on either side of the cycle.
    expect(found.map((step) => step.replace('out next C@2', 'in next C@2')).sort()).toEqual(two);
    expect(await store.neighbours(demo('A'), { depth: 10 })).toHaveLength(4);
  });

  it('names the entity that each step came through', async () => {
    const store = await openRing();
    const found = await store.neighbours(demo('A'), { depth: 2 });
    expect(found.find(({ id }) => id === 'E')).toEqual({
      ...demo('E'),
      relation: 'aside',
      direction: 'out',
      depth: 2,
      via: demo('B'),
    });
  });

  it('returns nearer entities first', async () => {
    const store = await openRing();
    const depths = (await store.neighbours(demo('A'), { depth: 3 })).map(({ depth }) => depth);
    expect(depths).toEqual([...depths].sort());
  });

  it('follows only the given relation', async () => {
    const store = await openRing();
    expect(await around(store, 'B', { relation: 'aside', depth: 5 })).toEqual(['out aside E@1']);
    expect(await around(store, 'E', { relation: 'next', depth: 5 })).toEqual([]);
  });

  it('handles an entity that is related to itself', async () => {
    const { store } = await openForTest(backend);
    await store.relate({ from: demo('A'), relation: 'same_as', to: demo('A') });
    await store.relate({ from: demo('A'), relation: 'next', to: demo('B') });
    expect(await around(store, 'A', { depth: 3 })).toEqual(['out next B@1']);
  });

  it('finds nothing around an unknown entity', async () => {
    const store = await openRing();
    expect(await store.neighbours(demo('NOPE'), { depth: 3 })).toEqual([]);
    expect(await store.neighbours({ scope: 'other', id: 'A' })).toEqual([]);
  });

  it.each([0, -1, 11, 1.5, Number.NaN])('refuses a depth of %s', async (depth) => {
    const { store } = await openForTest(backend);
    await expect(store.neighbours(demo('A'), { depth })).rejects.toEqual(refusal('neighbours.depth'));
  });
});
