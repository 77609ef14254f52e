import { describe, expect, it } from 'vitest';
import type { EpisodeInput } from '../../src/domain/entities/episode.ts';
import type { EpisodeStore, Filter, SearchHit } from '../../src/store/episode-store.ts';
import { describeOnBackends, POSTGRES, SQLITE } from '../support/backends.ts';
import { rows } from '../support/thorough.ts';
import { fakeClock } from './fake-clock.ts';
import { NOTES, note } from './inputs.ts';
import { openForSuite, openForTest, refusal } from './open-for-test.ts';
import { TICKETS, TYPES_WITH_TICKET, ticket } from './ticket.ts';

const ids = (hits: readonly SearchHit[]) => hits.map(({ entity_id }) => entity_id);
const eq = (field: string, value: string | number | boolean | null): Filter => ({ field, op: 'eq', value });

/** Ids in the order of writing, which breaks ties. */
const id = (number: number) => `TICKET-${String(number).padStart(4, '0')}`;

const COUNT = 1500;
const OLD = '2025-06-01T00:00:00.000Z';
const RECENT = '2025-12-01T00:00:00.000Z';

/**
 * More documents with the same words than a search reads. The oldest are few of their kind, the next are many; neither
 * kind is among the newest with these words.
 */
function data(): EpisodeInput[] {
  return Array.from({ length: COUNT }, (_, number) => {
    const parent = number < 3 ? 'RARE' : number < 700 ? 'EARLY' : 'LATE';
    return ticket(
      id(number),
      {
        title:
          number === 5
            ? 'lantern repaired once'
            : `lantern shining ${number % 2 === 0 ? 'bright' : 'strong'}`,
        parent,
        priority: number % 10,
        urgent: number % 4 === 0,
        labels: number === 1 ? ['odd', 'very odd'] : [],
      },
      { valid_at: number < 700 ? OLD : RECENT },
    );
  });
}

async function fill(store: EpisodeStore): Promise<void> {
  await store.upsertMany(data());
  await store.upsertMany([
    note('NOTE-1', 'lantern of a note'),
    ticket('ARCHIVED', { title: 'lantern', parent: 'RARE' }, { group: 'demo__archive' }),
  ]);
}

describeOnBackends('search by words and fields', (backend) => {
  const suite = openForSuite(backend, fill);
  const found = async (query: string, where: Filter[], limit = 10) =>
    ids(await suite().search(query, { groups: [TICKETS], where, limit }));

  it('finds the few matches although a thousand newer documents have the same words', async () => {
    expect(await found('lantern shining', [eq('parent', 'RARE')])).toEqual([id(2), id(0), id(1)]);
    expect(await found('lantern', [eq('labels', 'very odd')])).toEqual([id(1)]);
    expect(await found('lantern', [eq('parent', 'RARE'), eq('urgent', true)])).toEqual([id(0)]);
    expect(await found('lantern', [eq('parent', 'NOWHERE')])).toEqual([]);
  });

  it('finds many matches although none is among the newest with these words', async () => {
    const hits = await found('lantern', [eq('parent', 'EARLY')], 20);
    expect(hits).toEqual(Array.from({ length: 20 }, (_, index) => id(699 - index)));
    expect(await found('lantern', [{ field: 'valid_at', op: 'lt', value: RECENT }], 5)).toEqual(
      [699, 698, 697, 696, 695].map((number) => id(number)),
    );
  });

  it('ranks matches as in an unfiltered search', async () => {
    expect((await found('lantern repaired', [eq('parent', 'EARLY')]))[0]).toBe(id(5));
    expect((await found('shining bright lantern', [eq('parent', 'RARE')])).sort()).toEqual([
      id(0),
      id(1),
      id(2),
    ]);
    expect((await found('bright', [eq('parent', 'RARE')])).sort()).toEqual([id(0), id(2)]);
  });

  it.each<[string, Filter[]]>([
    ['one value', [eq('priority', 3)]],
    ['yes', [eq('urgent', true)]],
    ['no value', [eq('labels', null)]],
    ['another value', [{ field: 'parent', op: 'ne', value: 'LATE' }]],
    ['several values', [{ field: 'priority', op: 'in', value: [1, 2, 77] }]],
    ['none of no values', [{ field: 'priority', op: 'in', value: [] }]],
    ['a comparison', [{ field: 'priority', op: 'gte', value: 8 }]],
    ['a column', [{ field: 'entity_id', op: 'eq', value: id(44) }]],
    ['times', [{ field: 'valid_at', op: 'gte', value: RECENT }]],
    ['several filters', [eq('parent', 'LATE'), eq('priority', 7), eq('urgent', false)]],
  ])('returns only matches, and all of them: %s', async (_name, where) => {
    const fitting = (await suite().list(TICKETS, { where })).map(({ entity_id }) => entity_id);
    // Nobody needs more than are read at once.
    const wanted = Math.min(fitting.length, 100);
    const hits = await found('lantern shining', where, 100);
    expect(hits).toHaveLength(wanted);
    expect(new Set(hits).size).toBe(wanted);
    for (const hit of hits) expect(fitting).toContain(hit);
  });

  it('applies the filters to an entity found by id too', async () => {
    expect(await found(`${id(0)} lantern`, [eq('parent', 'RARE')])).toEqual([id(0), id(2), id(1)]);
    expect(await found(id(900), [eq('parent', 'RARE')])).not.toContain(id(900));
  });

  it('treats values as values, whatever they contain', async () => {
    for (const value of ["' OR 1=1 --", '"', '%', '\u0000', '*', '?']) {
      expect(await found('lantern', [eq('parent', value)])).toEqual([]);
    }
  });

  it('searches several groups with the field', async () => {
    const groups = [TICKETS, 'demo__archive'];
    const hits = await suite().search('lantern', { groups, where: [eq('parent', 'RARE')] });
    expect(ids(hits).sort()).toEqual(['ARCHIVED', id(0), id(1), id(2)]);
  });

  it('refuses a field that a group does not have, and fields without groups', async () => {
    const where = [eq('parent', 'RARE')];
    await expect(suite().search('lantern', { where })).rejects.toThrow(refusal('search.groups-needed'));
    await expect(suite().search('lantern', { groups: [TICKETS, NOTES], where })).rejects.toThrow(
      refusal('list.unknown-field'),
    );
    await expect(found('lantern', [eq('title', 'x')])).rejects.toThrow(refusal('list.unknown-field'));
    expect(await suite().search('lantern', { groups: [], where })).toEqual([]);
  });
});

describeOnBackends('search by fields of what changes', (backend) => {
  it('uses the fields of the version in force, past or present', async () => {
    const { store, clock } = await openForTest(backend);
    await store.upsert(ticket('T-1', { title: 'walrus', parent: 'A' }));
    await store.upsert(ticket('T-2', { title: 'walrus', parent: 'B' }));
    const then = clock.iso();
    clock.advance(1000);
    await store.upsert(ticket('T-1', { title: 'walrus', parent: 'B' }));
    const found = async (parent: string, asOf?: string) =>
      ids(await store.search('walrus', { groups: [TICKETS], where: [eq('parent', parent)], asOf })).sort();
    expect(await found('A')).toEqual([]);
    expect(await found('B')).toEqual(['T-1', 'T-2']);
    expect(await found('A', then)).toEqual(['T-1']);
    expect(await found('B', then)).toEqual(['T-2']);
    await store.delete(TICKETS, 'T-2');
    expect(await found('B')).toEqual(['T-1']);
  });
});

describe('search by words and fields on all backends', () => {
  it('returns the same hits with the same scores in the same order [MEM-7]', async () => {
    const stores = await Promise.all(
      [SQLITE, POSTGRES].map((backend) =>
        backend.open({ clock: fakeClock(), entityTypes: TYPES_WITH_TICKET }),
      ),
    );
    try {
      for (const { store } of stores) await fill(store);
      const [sqlite, postgres] = stores;
      for (const query of rows(2, [
        `${id(12)} bright`,
        'shining strong lantern',
        'lantern',
        'lantern repaired',
      ])) {
        for (const where of [
          [eq('parent', 'RARE')],
          [eq('parent', 'EARLY')],
          [eq('parent', 'LATE'), eq('urgent', true)],
          [{ field: 'priority', op: 'gt', value: 7 } as const],
          [{ field: 'valid_at', op: 'lt', value: RECENT } as const],
        ]) {
          for (const asOf of [undefined, '2026-06-01']) {
            const options = { groups: [TICKETS], where, limit: 30, asOf };
            const expected = await sqlite?.store.search(query, options);
            expect(expected?.length).toBeGreaterThan(0);
            expect(await postgres?.store.search(query, options), query).toEqual(expected);
          }
        }
      }
    } finally {
      for (const opened of stores) await opened.cleanup();
    }
  });
});
