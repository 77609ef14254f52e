import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText, encodeText } from '../../../src/store/postgres/postgres-database.ts';

const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom('\u0000', '\u0001', '\u0002', 'a', 'é', '😀'),
    fc.string({ minLength: 1, maxLength: 1 }),
  ),
});

function byteOrder(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

describe('text for PostgreSQL', () => {
  it('contains no U+0000 and comes back unchanged', () => {
    fc.assert(
      fc.property(text, (original) => {
        expect(encodeText(original)).not.toContain('\u0000');
        expect(decodeText(encodeText(original))).toBe(original);
      }),
    );
  });

  it('compares like the original', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(byteOrder(encodeText(a), encodeText(b))).toBe(byteOrder(a, b));
      }),
    );
  });

  it('has a replacement character for a lone surrogate', () => {
    expect(encodeText('x\ud83dy')).toBe('x\ufffdy');
  });
});
