import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffBodies } from '../../../src/domain/json/diff-bodies.ts';
import type { JsonObject } from '../../../src/domain/json/json.ts';

describe('the difference of two bodies', () => {
  it('names what came, what went and what changed, by path', () => {
    const before = { same: 1, gone: 'x', changed: 1, deep: { a: 1, b: 2 }, list: [1, 2] };
    const after = { same: 1, new: 'y', changed: 2, deep: { a: 1, b: 3 }, list: [1] };
    expect(diffBodies(before, after)).toEqual([
      { path: 'gone', before: 'x' },
      { path: 'changed', before: 1, after: 2 },
      { path: 'deep.b', before: 2, after: 3 },
      { path: 'list', before: [1, 2], after: [1] },
      { path: 'new', after: 'y' },
    ]);
  });

  it('tells null from nothing', () => {
    expect(diffBodies({ a: null }, {})).toEqual([{ path: 'a', before: null }]);
    expect(diffBodies({ a: 1 }, { a: null })).toEqual([{ path: 'a', before: 1, after: null }]);
  });

  it('is empty exactly for bodies that say the same', () => {
    const body = fc
      .dictionary(fc.string(), fc.jsonValue())
      .map((value) => JSON.parse(JSON.stringify(value)) as JsonObject);
    fc.assert(
      fc.property(body, body, (a, b) => {
        expect(diffBodies(a, structuredClone(a))).toEqual([]);
        expect(diffBodies(a, b).length === 0).toBe(JSON.stringify(sorted(a)) === JSON.stringify(sorted(b)));
      }),
    );
  });
});

function sorted(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(sorted);
  const keys = Object.keys(value).sort();
  return keys.map((key) => [key, sorted((value as Record<string, unknown>)[key])]);
}
