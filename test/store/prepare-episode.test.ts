import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ENTITY_REGISTRY } from '../../src/domain/entities/entity-types.ts';
import type { EpisodeInput } from '../../src/domain/entities/episode.ts';
import { DEFAULT_QUALITY_GATE_CONFIGS } from '../../src/domain/entities/quality-gate-config.ts';
import { MAX_BODY_BYTES, prepareEpisode } from '../../src/store/prepare-episode.ts';
import { ANY_CHARACTER } from '../support/any-character.ts';

const NOTE = { title: 'Sessions', text: 'They time out', tags: ['auth', 'redis'] };
const TURN = { feature_id: 'FEAT-A', task_id: 'TASK-1', turn_number: 2, mode: 'continuing_work' };

function note(changes: Partial<EpisodeInput> = {}) {
  return prepareEpisode(
    { group: 'demo__failure_patterns', entity_type: 'note', entity_id: 'NOTE-1', body: NOTE, ...changes },
    ENTITY_REGISTRY,
  );
}

function turn(body: object = {}, changes: Partial<EpisodeInput> = {}) {
  return prepareEpisode(
    { group: 'demo__turn_states', entity_type: 'turn_state', body: { ...TURN, ...body }, ...changes },
    ENTITY_REGISTRY,
  );
}

const refusal = (code: string, message?: string) =>
  expect.objectContaining({
    code,
    kind: 'input',
    ...(message && { message: expect.stringContaining(message) }),
  });

describe('preparing an episode', () => {
  it('derives id, name, fields and relations from the body', () => {
    expect(turn({ coach_decision: 'rejected' })).toMatchObject({
      group: 'demo__turn_states',
      scope: 'demo',
      entityId: 'TURN-FEAT-A-TASK-1-T2',
      entityType: 'turn_state',
      name: 'Turn 2: TASK-1',
      source: 'api',
      validAt: undefined,
      fields: [
        { field: 'task_id', value: 'TASK-1' },
        { field: 'feature_id', value: 'FEAT-A' },
        { field: 'turn_number', value: 2 },
        { field: 'coach_decision', value: 'rejected' },
        { field: 'mode', value: 'continuing_work' },
      ],
      relations: [
        { relation: 'turn_of', to: 'TASK-1' },
        { relation: 'part_of', to: 'FEAT-A' },
      ],
    });
  });

  it('indexes every element of an array field', () => {
    expect(note().fields).toEqual([
      { field: 'tags', value: 'auth' },
      { field: 'tags', value: 'redis' },
    ]);
  });

  it('finds an entity by its id and name and by its whole text', () => {
    const terms = note().findTerms();
    expect(terms.head).toEqual(expect.arrayContaining(['note-1', 'session']));
    expect(terms.text).toEqual(expect.arrayContaining(['time', 'redi']));
  });

  it('has no scope for a system group', () => {
    const prepared = prepareEpisode(
      {
        group: 'quality_gate_configs',
        entity_type: 'quality_gate_config',
        body: DEFAULT_QUALITY_GATE_CONFIGS[0],
      },
      ENTITY_REGISTRY,
    );
    expect(prepared).toMatchObject({ scope: '', entityId: 'QG-scaffolding-1-10' });
  });

  it('reads a given time with any offset as UTC', () => {
    expect(note({ valid_at: '2026-01-02T01:00:00+01:00' }).validAt).toBe('2026-01-02T00:00:00.000Z');
    expect(note({ valid_at: '2026-01-02' }).validAt).toBe('2026-01-02T00:00:00.000Z');
  });
});

describe('the content hash', () => {
  it('does not depend on the order of keys', () => {
    const reversed = Object.fromEntries(Object.entries(NOTE).reverse());
    expect(note({ body: reversed }).contentHash).toBe(note().contentHash);
  });

  it('does not depend on name, source, time or group', () => {
    const other = note({ name: 'Other', source: 'cli', valid_at: '2020-01-01', group: 'x__architecture' });
    expect(other.contentHash).toBe(note().contentHash);
  });

  it('treats an omitted and an explicit default as equal', () => {
    expect(turn({ player_summary: '', blockers_found: [] }).contentHash).toBe(turn().contentHash);
  });

  it('changes with any other difference', () => {
    const hashes = [{}, { title: 'sessions' }, { tags: ['redis', 'auth'] }, { text: 'They time out ' }].map(
      (changes) => note({ body: { ...NOTE, ...changes } }).contentHash,
    );
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  it('covers a key named __proto__', () => {
    const results = (json: string) => turn({ quality_gate_results: JSON.parse(json) }).contentHash;
    expect(results('{"__proto__": {"passed": true}}')).not.toBe(results('{}'));
  });
});

describe('secrets', () => {
  const KEY = `AKIA${'Z'.repeat(16)}`;

  it('are scrubbed from free text at any depth, and visibly', () => {
    const prepared = turn({
      player_summary: `uses ${KEY}`,
      quality_gate_results: { log: [{ line: KEY }] },
    });
    expect(prepared.bodyJson).not.toContain(KEY);
    expect(prepared.bodyJson.match(/\[scrubbed:aws-key\]/g)).toHaveLength(2);
  });

  it('are scrubbed from name, source and search terms', () => {
    const prepared = note({ name: `leak ${KEY}`, source: KEY, body: { ...NOTE, text: KEY } });
    expect(JSON.stringify(prepared).toLowerCase()).not.toContain(KEY.toLowerCase());
  });

  it('hash like their replacement, so that the same leak stays unchanged', () => {
    const scrubbed = note({ body: { ...NOTE, text: '[scrubbed:aws-key]' } });
    expect(note({ body: { ...NOTE, text: KEY } }).contentHash).toBe(scrubbed.contentHash);
  });

  it('are never removed from ids', () => {
    expect(note({ entity_id: KEY }).entityId).toBe(KEY);
  });
});

describe('refused input', () => {
  it('names the path of each fault of the body', () => {
    const faults = () => turn({ turn_number: 0, coverage: 101, files_modified: ['a', 7], colour: 'red' });
    for (const path of ['turn_number:', 'coverage:', 'files_modified.1:', 'colour: unknown field']) {
      expect(faults).toThrow(refusal('entity.invalid-body', path));
    }
  });

  it.each([
    ['null', null],
    ['an array', [NOTE]],
    ['a text', 'note'],
    ['nothing', undefined],
  ])('is %s for a body', (_what, body) => {
    expect(() => note({ body })).toThrow(refusal('entity.invalid-body'));
  });

  it('is an unknown type, with the known ones', () => {
    expect(() => note({ entity_type: 'nope' })).toThrow(
      expect.objectContaining({ code: 'entity.unknown-type', hint: expect.stringContaining('turn_state') }),
    );
  });

  it('is a type in the wrong group', () => {
    expect(() => note({ group: 'demo__turn_states' })).toThrow(refusal('entity.wrong-group'));
  });

  it.each([
    '',
    'Turn_states',
    'demo__',
    '__turn_states',
    'a b__turn_states',
    'turn__states__x',
    `${'p'.repeat(101)}__turn_states`,
  ])('is the group "%s"', (group) => {
    expect(() => note({ group })).toThrow(refusal('group.illegal'));
  });

  it.each(['', ' ', '-x', 'a b', 'a\u0000', 'ä', 'a\nb', "a'b", 'a"b', 'x'.repeat(257)])(
    'is the id %j',
    (id) => {
      expect(() => note({ entity_id: id })).toThrow(refusal('entity.illegal-id'));
    },
  );

  it('is a missing id where the type derives none', () => {
    expect(() => note({ entity_id: undefined })).toThrow(refusal('entity.no-id'));
  });

  it('is an id that contradicts the body', () => {
    expect(() => turn({}, { entity_id: 'TURN-FEAT-A-TASK-1-T3' })).toThrow(
      refusal('entity.id-mismatch', 'TURN-FEAT-A-TASK-1-T2'),
    );
    expect(() => turn({}, { entity_id: 'TURN-FEAT-A-3' })).toThrow(refusal('entity.id-mismatch'));
  });

  it('is not the short form of the id, which is stored in full', () => {
    expect(turn({}, { entity_id: 'TURN-FEAT-A-2' }).entityId).toBe('TURN-FEAT-A-TASK-1-T2');
  });

  it('is a body over the limit, not one at it', () => {
    const empty = Buffer.byteLength(note({ body: { ...NOTE, text: '' } }).bodyJson);
    const text = (bytes: number) => ({ body: { ...NOTE, text: 'é'.repeat(bytes / 2) } });
    const room = MAX_BODY_BYTES - empty;
    expect(Buffer.byteLength(note(text(room - (room % 2))).bodyJson)).toBeGreaterThan(MAX_BODY_BYTES - 2);
    expect(() => note(text(room + 2))).toThrow(refusal('entity.too-large', '1.0 MB'));
  });

  it.each(['yesterday', '2026-13-01', '2026-01-01 10:00', '2026-01-01T10:00:00', '', '1767225600000'])(
    'is the time "%s"',
    (time) => {
      expect(() => note({ valid_at: time })).toThrow(refusal('time.format'));
    },
  );
});

describe('names and sources', () => {
  it('are one line without control characters', () => {
    expect(note({ name: 'a\r\nb\u0000c\u009fd', source: 'x\ty' })).toMatchObject({
      name: 'a b c d',
      source: 'x y',
    });
  });

  it('are well-formed text of at most 300 characters, whatever the input', () => {
    fc.assert(
      fc.property(fc.string({ unit: ANY_CHARACTER, maxLength: 400 }), (text) => {
        const { name, source } = note({ name: text, source: text });
        expect(name.isWellFormed() && source.isWellFormed()).toBe(true);
        expect(name.length).toBeLessThanOrEqual(300);
      }),
    );
  });

  it('are not cut in the middle of a character', () => {
    expect(note({ name: `${'x'.repeat(299)}😀` }).name.isWellFormed()).toBe(true);
  });
});

describe('nesting', () => {
  it('beyond the limit is refused before anything walks it', () => {
    let deep: unknown = 'end';
    for (let level = 0; level < 50_000; level++) deep = [deep];
    const body = { title: 'deep', text: deep };
    expect(() =>
      prepareEpisode(
        { group: 'demo__architecture', entity_type: 'note', entity_id: 'N', body },
        ENTITY_REGISTRY,
      ),
    ).toThrow(expect.objectContaining({ code: 'entity.too-deep', kind: 'input' }));
  });

  it('without end is refused too', () => {
    const body: Record<string, unknown> = { title: 'ring' };
    body.text = body;
    expect(() =>
      prepareEpisode(
        { group: 'demo__architecture', entity_type: 'note', entity_id: 'N', body },
        ENTITY_REGISTRY,
      ),
    ).toThrow(expect.objectContaining({ code: 'entity.too-deep' }));
  });
});
