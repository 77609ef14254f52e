import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, sha256 } from '../../../src/domain/json/json.ts';

/** The same value with its keys in another order, at every depth. */
function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).reverse();
  const copy: Record<string, unknown> = Object.create(null);
  for (const [key, item] of entries) copy[key] = reordered(item);
  return copy;
}

describe('canonical JSON', () => {
  it('sorts keys at every depth and leaves lists as they are', () => {
    expect(canonicalJson({ b: [{ d: 1, c: 2 }, 'x'], a: null })).toBe('{"a":null,"b":[{"c":2,"d":1},"x"]}');
  });

  it('is the same for values that differ in the order of keys only [MEM-4]', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(canonicalJson(reordered(value))).toBe(canonicalJson(value));
      }),
    );
  });

  it('keeps the whole value [MEM-3]', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('keeps a key named __proto__', () => {
    expect(canonicalJson(JSON.parse('{"__proto__":1}'))).toBe('{"__proto__":1}');
  });

  it('differs for different values', () => {
    const texts = [{ a: 1 }, { a: '1' }, { a: [1] }, { a: null }, {}, { b: 1 }].map(canonicalJson);
    expect(new Set(texts.map(sha256)).size).toBe(texts.length);
  });
});

it('a hash is SHA-256 of the text as UTF-8', () => {
  expect(sha256('ä')).toBe('33e6d73fee82904c8d7afb78de1154d1e8dc2a0edb08120e63df5b9385c2d9cc');
  expect(sha256('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
});
