import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EpisodeInput } from '../../src/domain/entities/episode.ts';
import type { EpisodeStore, SearchHit, SearchOptions } from '../../src/store/episode-store.ts';
import { ANY_CHARACTER } from '../support/any-character.ts';
import { describeOnBackends, POSTGRES, SQLITE } from '../support/backends.ts';
import { further, runs } from '../support/thorough.ts';
import { fakeClock } from './fake-clock.ts';
import { NOTES, note, TURNS, turn } from './inputs.ts';
import { openForSuite, openForTest } from './open-for-test.ts';
import { SEARCH_DATA } from './search-data.ts';
import { TYPES_WITH_TICKET, ticket } from './ticket.ts';

const ids = (hits: readonly SearchHit[]) => hits.map(({ entity_id }) => entity_id);

async function fill(store: EpisodeStore): Promise<void> {
  // One by one, since the order of writing breaks ties.
  for (const input of SEARCH_DATA) await store.upsert(input);
}

/** Syntax of full-text engines and of SQL, and text without words. */
const HOSTILE = [
  '"',
  '""',
  "'",
  "'' OR 1=1 --",
  '*',
  'token*',
  '*token',
  '^token',
  '-token',
  '+token',
  'token:*',
  'NEAR',
  'NEAR(token refresh, 5)',
  'token NEAR/3 refresh',
  'token AND',
  'OR token',
  'NOT',
  'token AND NOT refresh',
  '(',
  ')',
  '((token)',
  'head:token',
  'text : token',
  '{head text}: token',
  'token & refresh | !x',
  '<-> <2>',
  ':*A',
  '\\',
  '\\"',
  "\\'",
  '%',
  '_',
  '$1',
  '?',
  ';',
  '--',
  '/*',
  '\u0000',
  'tok\u0000en',
  '\ud800',
  '\udfff token',
  '\ufeff',
  '😀',
  '👩‍👩‍👧‍👦 token',
  'ﷺ',
  '\u0301',
  'ᜒ',
  '\n\t\r',
  'x'.repeat(10_000),
  'token '.repeat(2000),
  '"'.repeat(10_000),
  '('.repeat(10_000),
  'a-'.repeat(5000),
  '漢'.repeat(5000),
  `@1 ${'@1'.repeat(50)}`,
];

function expectSound(hits: readonly SearchHit[], limit = 10): void {
  const scores = hits.map(({ score }) => score);
  for (const score of scores) {
    expect(score).toBeGreaterThanOrEqual(0);
    expect(score).toBeLessThanOrEqual(1);
  }
  expect(scores).toEqual([...scores].sort((a, b) => b - a));
  expect(hits.length).toBeLessThanOrEqual(limit);
  expect(new Set(hits.map(({ group, entity_id }) => `${group} ${entity_id}`)).size).toBe(hits.length);
}

describeOnBackends('search', (backend) => {
  const suite = openForSuite(backend, fill);
  const search = (query: string, options?: SearchOptions) => suite().search(query, options);
  const found = async (query: string, options?: SearchOptions) => ids(await search(query, options));

  it('shows enough for a person to recognize a hit', async () => {
    const [hit] = await search('sliding window');
    expect(hit).toEqual({
      score: expect.any(Number),
      group: TURNS,
      entity_id: 'TURN-FEAT-AUTH-TASK-AUTH-001-T2',
      entity_type: 'turn_state',
      name: 'Turn 2: TASK-AUTH-001',
      text: expect.stringMatching(/^turn_state FEAT-AUTH TASK-AUTH-001 turn 2: coach_decision=rejected/),
      valid_at: '2026-01-01T00:00:00.000Z',
    });
  });

  it('finds other forms of a word', async () => {
    for (const query of ['authenticate', 'authentication', 'authenticating', 'AUTHENTICATED']) {
      const hits = await found(query);
      expect(hits).toContain('NOTE-authn');
      expect(hits).toContain('TURN-FEAT-AUTH-TASK-AUTH-001-T1');
    }
    expect(await found('renewing certificates')).toEqual(['NOTE-other']);
  });

  it('does not rank by stop words', async () => {
    expect((await found('what is the timeout of the session for a cache'))[0]).toBe('NOTE-cache');
    expect(await found('was this with the proxy')).toEqual(['NOTE-other']);
  });

  it.each([
    ['TURN-FEAT-AUTH-TASK-1-T2', 'TURN-FEAT-AUTH-TASK-1-T2'],
    ['session_timeout', 'NOTE-cache'],
    ['timeout', 'NOTE-cache'],
    ['parseDOT', 'TURN-FEAT-GE-TASK-GE-001-T1'],
    ['parsedot', 'TURN-FEAT-GE-TASK-GE-001-T1'],
    ['dot', 'TURN-FEAT-GE-TASK-GE-001-T1'],
    ['src/auth/jwt.py', 'TURN-FEAT-AUTH-TASK-AUTH-001-T1'],
    ['jwt.py', 'TURN-FEAT-AUTH-TASK-AUTH-001-T1'],
  ])('finds the identifier %s, whole or in part [FIND-3]', async (query, expected) => {
    expect((await found(query))[0]).toBe(expected);
  });

  it('finds nothing for an id that does not occur, with exactIds', async () => {
    const exact = (query: string) => found(query, { exactIds: true });
    for (const query of ['turn TASK-XXX', 'turn TASK-AUTH-999', 'timeout in FEAT-NOPE', 'TASK-GE-777'])
      expect([query, await exact(query)]).toEqual([query, []]);
    for (const query of [
      'turn TASK-AUTH-001',
      'turn TASK-AUTH',
      'TASK-XXX TASK-AUTH-001',
      'timeout',
      'UTF-8 timeout',
    ])
      expect([query, await exact(query)]).not.toEqual([query, []]);
    expect(await found('turn TASK-XXX')).not.toEqual([]);
    expect(await found('turn TASK-AUTH-001', { exactIds: true, groups: [NOTES] })).toEqual([]);
  });

  it('ignores diacritics and letter case', async () => {
    for (const query of ['größe', 'große', 'GRÖßE', 'cafe', 'CAFÉ', 'cafe\u0301', 'naive']) {
      expect(await found(query)).toEqual(['NOTE-cafe']);
    }
  });

  it('finds words in scripts without spaces', async () => {
    for (const query of ['履歴', '検索', '日本語', '会話履歴'])
      expect(await found(query)).toContain('NOTE-cjk');
    expect(await found('中国')).toEqual([]);
  });

  it.each([
    ['turn FEAT-GE', ['TURN-FEAT-GE-TASK-GE-001-T2', 'TURN-FEAT-GE-TASK-GE-001-T1']],
    ['turn TASK-AUTH-001', [1, 2, 3].map((number) => `TURN-FEAT-AUTH-TASK-AUTH-001-T${number}`)],
    ['coach_decision rejected', ['TURN-FEAT-AUTH-TASK-AUTH-001-T2', 'TURN-FEAT-GE-TASK-GE-001-T2']],
    ['coach_decision approved', ['TURN-FEAT-AUTH-TASK-AUTH-001-T3']],
    ['blockers TASK-GE-001', ['TURN-FEAT-GE-TASK-GE-001-T2']],
    ['blockers TASK-AUTH-001', ['TURN-FEAT-AUTH-TASK-AUTH-001-T2']],
    ['turn TASK-AUTH-001 turn 3', ['TURN-FEAT-AUTH-TASK-AUTH-001-T3']],
  ])("answers the guide's query '%s' with the expected entity first", async (query, expected) => {
    const hits = await found(query, { groups: [TURNS] });
    expect(hits.slice(0, expected.length).sort()).toEqual([...expected].sort());
  });

  it("answers the guide's query 'turn_state' with turns, newest first", async () => {
    const hits = await found('turn_state', { groups: [TURNS], limit: 10 });
    expect(hits).toHaveLength(6);
  });

  it('puts the entity with the requested id first, with score 1', async () => {
    for (const { entity_id, score } of [
      (await search('TURN-FEAT-AUTH-TASK-AUTH-001-T2'))[0],
      (await search('  NOTE-other '))[0],
      (await search('why was NOTE-other renewed'))[0],
    ].flatMap((hit) => hit ?? [])) {
      expect(['TURN-FEAT-AUTH-TASK-AUTH-001-T2', 'NOTE-other']).toContain(entity_id);
      expect(score).toBe(1);
    }
  });

  it('puts every turn that a short id may mean first', async () => {
    const hits = await search('TURN-FEAT-AUTH-2', { groups: [TURNS] });
    expect(ids(hits).slice(0, 2).sort()).toEqual([
      'TURN-FEAT-AUTH-TASK-1-T2',
      'TURN-FEAT-AUTH-TASK-AUTH-001-T2',
    ]);
    expect(hits.slice(0, 2).map(({ score }) => score)).toEqual([1, 1]);
  });

  it('searches only the requested groups', async () => {
    expect(await found('token refresh', { groups: ['other__architecture'] })).toEqual(['NOTE-elsewhere']);
    expect(await found('token refresh', { groups: [NOTES] })).toEqual([]);
    expect(await found('NOTE-elsewhere', { groups: [NOTES, TURNS] })).not.toContain('NOTE-elsewhere');
    expect(await found('token refresh', { groups: [] })).toEqual([]);
    expect(await found('token refresh', { groups: ['empty__architecture'] })).toEqual([]);
    const both = await search('token refresh', { groups: ['other__architecture', TURNS] });
    expect(new Set(both.map(({ group }) => group))).toEqual(new Set(['other__architecture', TURNS]));
  });

  it('returns the requested number, at most 1000, 10 by default', async () => {
    expect(await search('turn', { limit: 2 })).toHaveLength(2);
    expect(await search('turn', { limit: 0 })).toEqual([]);
    expect(await search('TURN-FEAT-AUTH-2', { limit: 1 })).toHaveLength(1);
    expect((await search('turn token refresh page', { limit: 1_000_000 })).length).toBeLessThan(1000);
    expect((await search('the turn note a token page session', {})).length).toBeLessThanOrEqual(10);
  });

  it('returns nothing for an empty query', async () => {
    for (const query of ['', ' ', '?!', 'xyzzy']) expect(await search(query)).toEqual([]);
  });

  it('is deterministic in order and scores', async () => {
    const first = await search('token refresh turn session', { limit: 100 });
    expect(await search('token refresh turn session', { limit: 100 })).toEqual(first);
  });

  it.each(
    HOSTILE.map((query) => [
      query.length > 40 ? `${query.slice(0, 20)}… (${query.length} characters)` : query,
      query,
    ]),
  )('treats %j as words, not as a command', async (_shown, query) => {
    expectSound(await search(query));
    expectSound(await search(query, { groups: [TURNS], asOf: '2026-06-01' }));
    expect(await suite().counts()).toHaveLength(3);
  });

  it('never fails and always returns valid scores, for any query [FIND-2]', async () => {
    const query = fc.oneof(
      { weight: 3, arbitrary: fc.string({ unit: ANY_CHARACTER, maxLength: 60 }) },
      fc
        .array(
          fc.oneof(
            fc.constantFrom(...HOSTILE.slice(0, 48), 'token', 'refresh'),
            fc.string({ unit: 'grapheme' }),
          ),
          {
            maxLength: 8,
          },
        )
        .map((parts) => parts.join(' ')),
    );
    await fc.assert(
      fc.asyncProperty(query, fc.boolean(), async (text, past) => {
        expectSound(await search(text, past ? { asOf: { knownAt: '2026-06-01' } } : {}));
      }),
      { numRuns: runs(80) },
    );
  });

  it('puts an exact id first, whatever words surround it [FIND-1]', async () => {
    const id = fc.constantFrom(...['NOTE-cache', 'NOTE-other', 'TURN-FEAT-GE-TASK-GE-001-T1']);
    const words = fc.array(
      fc.constantFrom('token', 'refresh', 'turn', 'the', 'session', 'graph', 'page', '"', '('),
      {
        maxLength: 6,
      },
    );
    await fc.assert(
      fc.asyncProperty(id, words, words, async (wanted, before, after) => {
        const [hit] = await search([...before, wanted, ...after].join(' '));
        expect(hit).toMatchObject({ entity_id: wanted, score: 1 });
      }),
      { numRuns: 25 },
    );
  });
});

describeOnBackends('search of what changes', (backend) => {
  it('finds current versions only', async () => {
    const { store } = await openForTest(backend);
    await store.upsert(note('NOTE-1', 'the walrus'));
    expect(ids(await store.search('walrus'))).toEqual(['NOTE-1']);
    await store.upsert(note('NOTE-1', 'the carpenter'));
    expect(await store.search('walrus')).toEqual([]);
    expect(ids(await store.search('carpenter'))).toEqual(['NOTE-1']);
    await store.delete(NOTES, 'NOTE-1');
    expect(await store.search('carpenter')).toEqual([]);
    expect(await store.search('NOTE-1')).toEqual([]);
  });

  it('finds a body that was restored', async () => {
    const { store } = await openForTest(backend);
    for (const text of ['walrus', 'carpenter', 'walrus']) await store.upsert(note('NOTE-1', text));
    expect(await store.search('walrus')).toHaveLength(1);
  });

  it('keeps groups apart in the past too', async () => {
    const { store, clock } = await openForTest(backend);
    await store.upsert(note('NOTE-1', 'walrus'));
    await store.upsert(note('NOTE-1', 'walrus', { group: 'other__architecture' }));
    const then = clock.iso();
    clock.advance(1000);
    await store.upsert(note('NOTE-1', 'carpenter'));
    const hits = await store.search('walrus', { groups: [NOTES], asOf: then });
    expect(hits).toMatchObject([{ group: NOTES, entity_id: 'NOTE-1' }]);
    expect(await store.search('walrus', { groups: [NOTES] })).toEqual([]);
  });

  further('finds an old rare word among a thousand newer episodes that share the other words', async () => {
    const { store } = await openForTest(backend);
    await store.upsert(turn({ task: 'TASK-0', turn: 1 }, { player_summary: 'tamed the walrus' }));
    await store.upsertMany(
      Array.from({ length: 1000 }, (_, index) =>
        turn({ task: `TASK-${index + 1}`, turn: 1 }, { player_summary: 'tamed' }),
      ),
    );
    expect(ids(await store.search('turn tamed walrus'))[0]).toBe('TURN-FEAT-AUTH-TASK-0-T1');
    expect(await store.search('turn tamed', { limit: 50 })).toHaveLength(50);
  });

  it('finds episodes written after their group was purged', async () => {
    const { store } = await openForTest(backend);
    await store.upsert(note('NOTE-1', 'the walrus'));
    await store.upsertMany([turn({ turn: 1 }), turn({ turn: 2 })]);
    expect(await store.search('walrus')).toHaveLength(1);
    expect(await store.purge(TURNS)).toBe(2);
    expect(await store.search('turn', { groups: [TURNS] })).toEqual([]);
    await store.upsert(turn({ turn: 7 }, { player_summary: 'fed the walrus' }));
    expect(ids(await store.search('walrus', { groups: [TURNS] }))).toEqual(['TURN-FEAT-AUTH-TASK-1-T7']);
    const where = [{ field: 'task_id', op: 'eq', value: 'TASK-1' } as const];
    expect(await store.list(TURNS, { where })).toHaveLength(1);
    expect(await store.neighbours({ scope: 'demo', id: 'TASK-1' })).toHaveLength(1);
    expect(await store.history(TURNS, 'TURN-FEAT-AUTH-TASK-1-T1')).toEqual([]);
  });

  it('finds entities of other types as well', async () => {
    const { store } = await openForTest(backend);
    await store.upsert(ticket('T-1', { title: 'walrus' }));
    expect(await store.search('walrus')).toMatchObject([{ entity_type: 'ticket', text: 'ticket walrus ' }]);
  });
});

/** Enough of the same kind that a frequent word is read only in the newest. */
function many(ending: string): EpisodeInput[] {
  return Array.from({ length: 500 }, (_, number) => {
    const summary = `Changed ${['cache', 'token', 'graph'][number % 3]} number ${number}${ending}`;
    return turn(
      { feature: 'FEAT-MANY', task: `TASK-${number % 37}`, turn: number + 1 },
      { player_summary: summary },
    );
  });
}

describe('search on all backends', () => {
  it('returns the same hits with the same scores in the same order [MEM-7]', async () => {
    const stores = await Promise.all(
      [SQLITE, POSTGRES].map((backend) =>
        backend.open({ clock: fakeClock(), entityTypes: TYPES_WITH_TICKET }),
      ),
    );
    try {
      for (const { store } of stores) {
        await fill(store);
        await store.upsertMany(many(''));
        await store.upsertMany(many(' again').filter((_, number) => number % 5 === 0));
      }
      const [sqlite, postgres] = stores;
      const queries = [
        ...SEARCH_DATA.filter((_, index) => index % 3 === 0).map(({ body }) => JSON.stringify(body)),
        'turn',
        'cache token',
        'coach_decision rejected',
        'TURN-FEAT-MANY-7',
        'größe',
        '検索',
      ];
      for (const query of queries) {
        for (const options of [{ limit: 50 }, { groups: [TURNS] }, { asOf: '2026-06-01' }]) {
          const expected = await sqlite?.store.search(query, options);
          expect(await postgres?.store.search(query, options), query).toEqual(expected);
        }
      }
    } finally {
      for (const opened of stores) await opened.cleanup();
    }
  });
});
