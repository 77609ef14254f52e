import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { parseQuickly } from '../../src/domain/parse-quickly.ts';
import { turnStateSchema } from '../../src/domain/turn-state.ts';

const turn = {
  feature_id: 'FEAT-1',
  task_id: 'TASK-1',
  turn_number: 2,
  mode: 'continuing_work',
  player_summary: 'did it',
  player_decision: 'implemented',
  files_modified: ['a.ts'],
  coach_decision: 'feedback',
  acceptance_criteria_status: { 'AC-001': 'verified' },
  quality_gate_results: { tests: { passed: 3 } },
  tests_passed: 3,
  coverage: 81.5,
  started_at: '2026-01-01T00:00:00.000Z',
};

const everything = z.strictObject({
  word: z.enum(['a', 'b']),
  fixed: z.literal(1),
  trimmed: z.string().trim().max(5),
  even: z.int().refine((value) => value % 2 === 0),
  yes: z.boolean().optional(),
  list: z.array(z.strictObject({ x: z.number(), y: z.string().default('y') })).default([]),
  record: z.record(z.string().regex(/^k/), z.string().nullable()).default({}),
});
const all = {
  word: 'a',
  fixed: 1,
  trimmed: 'x',
  even: 2,
  yes: true,
  list: [{ x: 1, y: 'y' }],
  record: { k: 'v' },
};

describe('a body that needs nothing but defaults', () => {
  it.each([
    ['a turn', turnStateSchema, turn],
    ['a stored turn', turnStateSchema, turnStateSchema.parse(turn)],
    ['one of every part', everything, all],
    ['one with its keys in another order', everything, Object.fromEntries(Object.entries(all).reverse())],
  ])('is read as its schema reads it: %s', (_what, schema, body) => {
    const quickly = parseQuickly(schema, body);
    expect(quickly).toBeDefined();
    expect(JSON.stringify(quickly)).toBe(JSON.stringify(schema.parse(body)));
  });

  it('gets a default of its own', () => {
    const first = parseQuickly(turnStateSchema, turn);
    const second = parseQuickly(turnStateSchema, turn);
    expect(first?.lessons_from_turn).toEqual([]);
    expect(first?.lessons_from_turn).not.toBe(second?.lessons_from_turn);
  });
});

it.each([
  ['a synonym', { coach_decision: 'approve' }],
  ['a criterion by its text', { acceptance_criteria_status: { 'AC-001: it works': 'verified' } }],
  ['a criterion named __proto__', { acceptance_criteria_status: JSON.parse('{"__proto__":"verified"}') }],
  ['a time in another zone', { started_at: '2026-01-01T00:00:00+01:00' }],
  ['a misspelt field', { coverag: 3 }],
  ['the guide’s own id', { id: 'TURN-1' }],
  ['a number out of range', { coverage: 101 }],
  ['a number that is none', { tests_passed: Number.NaN }],
  ['an illegal id', { task_id: '../x' }],
  ['a list of something else', { files_modified: [1] }],
  ['a value that is no JSON', { quality_gate_results: { at: new Date(0) } }],
])('%s is left to the schema', (_what, change) => {
  expect(parseQuickly(turnStateSchema, { ...turn, ...change })).toBeUndefined();
});

it.each([
  ['text that is trimmed', { trimmed: ' x' }],
  ['a number that is refused', { even: 3 }],
  ['an object that lacks a default', { list: [{ x: 1 }] }],
  ['an object with a key too many', { list: [{ x: 1, y: 'y', z: 1 }] }],
  ['a key that does not fit', { record: { other: 'v' } }],
])('%s inside is left to the schema', (_what, change) => {
  expect(parseQuickly(everything, { ...all, ...change })).toBeUndefined();
});

it.each([
  ['a union', z.strictObject({ a: z.union([z.string(), z.number()]) })],
  ['further keys', z.object({ a: z.string() })],
  ['a check of the whole', z.strictObject({ a: z.string() }).refine(() => true)],
  ['a fallback', z.strictObject({ a: z.string().catch('x') })],
  ['a conversion', z.strictObject({ a: z.coerce.string() })],
])('a schema with %s is asked itself', (_what, schema) => {
  expect(parseQuickly(schema, { a: 'x' })).toBeUndefined();
});

it('whatever is read quickly, the schema reads the same', () => {
  const key = fc.constantFrom(
    ...Object.keys(turnStateSchema.parse(turn)),
    'other',
    '__proto__',
    'constructor',
  );
  const value = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom('approved', 'Approved', 'x'.repeat(81), 0, -1, 1e21, undefined, [], {}, ['a'], null),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(key, value), { maxLength: 3 }), (changes) => {
      const body = Object.fromEntries([...Object.entries(turn), ...changes]);
      const quickly = parseQuickly(turnStateSchema, body);
      if (quickly) expect(JSON.stringify(quickly)).toBe(JSON.stringify(turnStateSchema.parse(body)));
    }),
    { numRuns: 1000 },
  );
});

it.each([undefined, null, 1, 'text', [], new Date(0), Object.create(turn)])('%s is no body', (value) => {
  expect(parseQuickly(turnStateSchema, value)).toBeUndefined();
});
