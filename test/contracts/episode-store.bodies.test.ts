import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ENTITY_REGISTRY } from '../../src/domain/entities/entity-types.ts';
import { canonicalJson } from '../../src/domain/json/json.ts';
import type { EpisodeStore } from '../../src/store/episode-store.ts';
import { ANY_CHARACTER } from '../support/any-character.ts';
import { describeOnBackends, describeOnSqliteFirst } from '../support/backends.ts';
import { runs } from '../support/thorough.ts';
import { NOTES, note, TURNS, turn } from './inputs.ts';
import { exported, openForSuite, openForTest, refusal } from './open-for-test.ts';
import { TICKETS, ticket } from './ticket.ts';

const TURN_ID = 'TURN-FEAT-AUTH-TASK-1-T1';

/** Stores a value in a free JSON field of a turn, and returns the stored value as canonical text. */
async function storedJson(store: EpisodeStore, results: unknown): Promise<string> {
  await store.upsert(turn({ turn: 1 }, { quality_gate_results: results }));
  const episode = await store.get(TURNS, TURN_ID);
  return canonicalJson(episode?.body.quality_gate_results);
}

describeOnBackends('bodies', (backend) => {
  const suite = openForSuite(backend);

  it.each([
    ['plain text', 'text'],
    ['letters of many scripts', 'Größe — Ελληνικά — русский — עברית — 日本語 — हिन्दी'],
    ['emoji, joined and flagged', '👩‍👩‍👧‍👦 🏳️‍🌈 🇨🇭 😀'],
    ['U+0000', 'before\u0000after'],
    ['nothing but U+0000', '\u0000'],
    ['a lone high surrogate', 'x\ud83dy'],
    ['a lone low surrogate', '\udc00'],
    ['control characters and line ends', '\u0001\u001f\u007f\u0085\r\n\n\r\t\u2028\u2029'],
    ['the replacement character and a byte order mark', '\ufffd\ufeff'],
    ['decomposed beside composed letters', 'e\u0301 é'],
    ['quotes, backslashes and SQL', `"'\\'' "; DROP TABLE episode; -- $1 ? :name %s \\u0000`],
    ['white space at the ends', '  x \n'],
    ['nothing', ''],
  ])('come back exactly with %s', async (_what, text) => {
    const store = suite();
    expect(await storedJson(store, { text, [text]: [text] })).toBe(canonicalJson({ text, [text]: [text] }));
    await store.upsert(note('NOTE-1', text));
    expect(await store.get(NOTES, 'NOTE-1')).toMatchObject({ body: { title: 'A note', text, tags: [] } });
  });

  it.each([
    ['0.1', 0.1],
    ['1e21', 1e21],
    ['1e-7', 1e-7],
    ['the largest safe integer', Number.MAX_SAFE_INTEGER],
    ['an integer beyond the safe ones', 2 ** 63],
    ['the largest number', Number.MAX_VALUE],
    ['the smallest number', Number.MIN_VALUE],
    ['a sum with a long tail', 0.1 + 0.2],
    ['zero', 0],
    ['null', null],
    ['yes and no', [true, false]],
    ['nested nulls', { a: null, b: [null, [null], {}] }],
    ['empty containers', [[], {}, '', [[]]]],
    ['deep nesting', JSON.parse(`${'['.repeat(200)}1${']'.repeat(200)}`)],
    ['keys of objects themselves', { constructor: 1, toString: null, hasOwnProperty: [], length: 3, '': 0 }],
  ])('come back exactly with %s', async (_what, value) => {
    const store = suite();
    expect(await storedJson(store, { value })).toBe(canonicalJson({ value }));
  });

  it('come back exactly with a key named __proto__', async () => {
    const store = suite();
    const results = JSON.parse('{"__proto__": {"polluted": true}, "nested": {"__proto__": [1]}}');
    expect(await storedJson(store, results)).toBe(
      '{"__proto__":{"polluted":true},"nested":{"__proto__":[1]}}',
    );
    expect({}).not.toHaveProperty('polluted');
  });

  it('have no negative zero, as in JSON', async () => {
    const store = suite();
    expect(await storedJson(store, { value: -0 })).toBe('{"value":0}');
    const again = await store.upsert(turn({ turn: 1 }, { quality_gate_results: { value: 0 } }));
    expect(again.action).toBe('unchanged');
  });

  it('come back exactly, and are unchanged when written again, for any JSON [MEM-3]', async () => {
    const store = suite();
    const text = fc.string({ unit: ANY_CHARACTER, maxLength: 20 }).filter((key) => key !== '__proto__');
    const json = fc.jsonValue({ stringUnit: ANY_CHARACTER, maxDepth: 3 });
    await fc.assert(
      fc.asyncProperty(fc.dictionary(text, json, { maxKeys: 4, noNullPrototype: true }), async (results) => {
        expect(await storedJson(store, results)).toBe(canonicalJson(results));
        const again = await store.upsert(turn({ turn: 1 }, { quality_gate_results: results }));
        expect(again.action).toBe('unchanged');
      }),
      { numRuns: runs(50) },
    );
  });

  it('come back exactly at the size limit', async () => {
    const { store } = await openForTest(backend);
    const text = 'ab \u00e9 '.repeat(170_000);
    await store.upsert(note('NOTE-1', text));
    expect((await store.get(NOTES, 'NOTE-1'))?.body.text === text).toBe(true);
  });

  it('come back with the defaults of their type and in normalized form', async () => {
    const { store } = await openForTest(backend);
    await store.upsert(turn({ turn: 1 }, { mode: 'FRESH_START', coach_decision: 'reject' }));
    expect((await store.get(TURNS, TURN_ID))?.body).toMatchObject({
      mode: 'fresh_start',
      coach_decision: 'rejected',
      blockers_found: [],
      coverage: null,
    });
  });

  it('are scrubbed of secrets before they are stored, searched or exported [SEC-1]', async () => {
    const { store } = await openForTest(backend);
    const key = `AKIA${'Q'.repeat(16)}`;
    await store.upsert(note('NOTE-1', `the key ${key} leaked`, { source: `with ${key}` }));
    expect(await store.get(NOTES, 'NOTE-1')).toMatchObject({
      body: { text: 'the key [scrubbed:aws-key] leaked' },
    });
    expect(JSON.stringify(await exported(store))).not.toContain(key);
    expect(await store.search(key)).toEqual([]);
    expect(await store.upsert(note('NOTE-1', `the key ${key} leaked`))).toMatchObject({
      action: 'unchanged',
    });
  });

  it('keep unusual characters in indexed fields, and are found by them', async () => {
    const { store } = await openForTest(backend);
    const tags = ['nul\u0000nul', '\ud83d', '😀', 'Ünï cødé', "quo'te", '%_'];
    await store.upsert(note('NOTE-1', 'text', { tags }));
    await store.upsert(note('NOTE-2', 'text', { tags: ['plain', 'nul'] }));
    expect(await store.get(NOTES, 'NOTE-1')).toMatchObject({ body: { tags } });
    for (const tag of tags) {
      const found = await store.list(NOTES, { where: [{ field: 'tags', op: 'eq', value: tag }] });
      expect(found.map(({ entity_id }) => entity_id)).toEqual(['NOTE-1']);
    }
  });

  it('keep an indexed field longer than an index entry', async () => {
    const { store } = await openForTest(backend);
    // Random, since databases compress repetitions before measuring the size.
    const tag = Array.from({ length: 2000 }, (_, index) =>
      ((index * 7919 + index ** 3) % 65_521).toString(36),
    ).join('');
    await store.upsert(note('NOTE-1', 'text', { tags: [tag] }));
    await store.upsert(note('NOTE-2', 'text', { tags: [`${tag}x`] }));
    const found = await store.list(NOTES, { where: [{ field: 'tags', op: 'eq', value: tag }] });
    expect(found.map(({ entity_id }) => entity_id)).toEqual(['NOTE-1']);
  });
});

describeOnSqliteFirst('refused writes', (backend) => {
  const suite = openForSuite(backend);

  const cases: [what: string, input: Parameters<EpisodeStore['upsert']>[0], code: string, message: RegExp][] =
    [
      ['a missing field', note('NOTE-1', 'x', { body: { text: 'x' } }), 'entity.invalid-body', /^title:/m],
      ['a wrong value', turn({ turn: 1.5 }), 'entity.invalid-body', /^turn_number:/m],
      [
        'a wrong value deep inside',
        turn({ turn: 1 }, { files_modified: ['a', null] }),
        'entity.invalid-body',
        /^files_modified\.1:/m,
      ],
      ['an unknown field', turn({ turn: 1 }, { colour: 'red' }), 'entity.invalid-body', /^colour: /m],
      [
        'a value that is not JSON',
        turn({ turn: 1 }, { quality_gate_results: { at: new Date() } }),
        'entity.invalid-body',
        /quality_gate_results/,
      ],
      [
        'not a number',
        turn({ turn: 1 }, { quality_gate_results: { value: Number.NaN } }),
        'entity.invalid-body',
        /quality_gate_results/,
      ],
      [
        'a group its type does not belong in',
        note('NOTE-1', 'x', { group: TURNS }),
        'entity.wrong-group',
        /note/,
      ],
      ['an unknown type', note('NOTE-1', 'x', { entity_type: 'rumour' }), 'entity.unknown-type', /rumour/],
      [
        'an id that contradicts the body',
        turn({ turn: 2 }, {}, { entity_id: TURN_ID }),
        'entity.id-mismatch',
        /T2/,
      ],
      ['an illegal id', note('NOTE 1', 'x'), 'entity.illegal-id', /NOTE 1/],
      ['no id', note('x', 'x', { entity_id: undefined }), 'entity.no-id', /id/],
      [
        'an illegal group',
        note('NOTE-1', 'x', { group: 'Demo Project__architecture' }),
        'group.illegal',
        /Demo Project/,
      ],
      ['an unreadable time', note('NOTE-1', 'x', { valid_at: '12.11.2026' }), 'time.format', /12\.11\.2026/],
      ['a body of 2 MB', note('NOTE-1', 'x'.repeat(2_000_000)), 'entity.too-large', /2\.0 MB/],
      ['a body of 10 MB', note('NOTE-1', 'x'.repeat(10_000_000)), 'entity.too-large', /10\.0 MB/],
    ];

  it.each(cases)('report the fault of %s and change nothing', async (_what, input, code, message) => {
    const store = suite();
    await store.upsert(note('NOTE-1', 'before'));
    const before = await exported(store);
    await expect(store.upsert(input)).rejects.toEqual(refusal(code, message));
    expect(await exported(store)).toEqual(before);
  });

  it('report all faults at once [MEM-6]', async () => {
    const store = suite();
    const body = { turn_number: 'two', mode: 'idle', coverage: 140, extra: 1 };
    const refused = store.upsert(turn({ turn: 1 }, body));
    for (const path of Object.keys(body)) {
      await expect(refused).rejects.toEqual(refusal('entity.invalid-body', new RegExp(`^${path}:`, 'm')));
    }
  });

  it('are wrong use, not a failure of the store', async () => {
    const store = suite();
    await expect(store.upsert(turn({ turn: 0 }))).rejects.toMatchObject({ kind: 'input', exitCode: 2 });
  });
});

describeOnSqliteFirst('a stored body that was changed outside', (backend) => {
  async function openTampered() {
    const { store, opened } = await openForTest(backend);
    await store.upsertMany([turn({ turn: 1 }), turn({ turn: 2 }, { player_summary: 'sound' })]);
    const [{ body } = { body: undefined }] = await opened.query(
      `SELECT body FROM episode WHERE entity_id = '${TURN_ID}'`,
    );
    const tampered = (typeof body === 'string' ? body : JSON.stringify(body)).replace(
      /"turn_number":\s*1/,
      '"turn_number":"one"',
    );
    await opened.query(`UPDATE episode SET body = '${tampered}' WHERE entity_id = '${TURN_ID}'`);
    return store;
  }

  it('is refused on reading, with its entity and the path of the fault [MEM-6]', async () => {
    const store = await openTampered();
    const damage = refusal(
      'entity.invalid-stored-body',
      new RegExp(`${TURN_ID} in ${TURNS}[^]*turn_number:`),
    );
    await expect(store.get(TURNS, TURN_ID)).rejects.toEqual(damage);
    await expect(store.list(TURNS)).rejects.toEqual(damage);
    await expect(store.history(TURNS, TURN_ID)).rejects.toEqual(damage);
    await expect(store.find(TURN_ID)).rejects.toEqual(damage);
    await expect(exported(store)).rejects.toEqual(damage);
  });

  it('does not prevent others from being read or found', async () => {
    const store = await openTampered();
    expect(await store.get(TURNS, 'TURN-FEAT-AUTH-TASK-1-T2')).toMatchObject({
      body: { player_summary: 'sound' },
    });
    const hits = await store.search('turn FEAT-AUTH');
    expect(hits.map(({ entity_id }) => entity_id)).toContain('TURN-FEAT-AUTH-TASK-1-T2');
  });

  it('is repaired by writing the entity again', async () => {
    const store = await openTampered();
    await store.upsert(turn({ turn: 1 }, { player_summary: 'mended' }));
    expect(await store.get(TURNS, TURN_ID)).toMatchObject({ body: { player_summary: 'mended' } });
  });
});

describeOnSqliteFirst('bodies that another version of the program wrote', (backend) => {
  it('can be read without their type, but not written', async () => {
    const { store, opened } = await openForTest(backend);
    const body = { title: 'walrus', labels: ['a'] };
    await store.upsert(ticket('T-1', body));
    const other = await opened.openAnother({ entityTypes: ENTITY_REGISTRY });
    expect(await other.get(TICKETS, 'T-1')).toEqual(await store.get(TICKETS, 'T-1'));
    expect(await other.list(TICKETS)).toHaveLength(1);
    expect(await other.search('walrus')).toMatchObject([{ entity_id: 'T-1', name: 'walrus' }]);
    expect(await exported(other)).toEqual(await exported(store));
    await expect(other.upsert(ticket('T-1', body))).rejects.toEqual(refusal('entity.unknown-type'));
  });

  it('can be read with an unknown field', async () => {
    const { store, opened } = await openForTest(backend);
    await store.upsert(note('NOTE-1', 'text'));
    const newer = '{"title":"A note","text":"text","tags":[],"colour":"red"}';
    await opened.query(`UPDATE episode SET body = '${newer}' WHERE entity_id = 'NOTE-1'`);
    expect(await store.get(NOTES, 'NOTE-1')).toMatchObject({ body: JSON.parse(newer) });
  });
});
