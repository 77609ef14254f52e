import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatBytes,
  oneLine,
  plural,
  printable,
  printableJson,
} from '../../../src/interfaces/cli/output/printable.ts';
import { ANY_CHARACTER } from '../../support/any-character.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not come through
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
const anyText = fc.string({ unit: ANY_CHARACTER, maxLength: 200 });

describe('text for a terminal', () => {
  it('holds no control characters but line ends and tabs, whatever was stored [SEC-4]', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(printable(text)).not.toMatch(CONTROL);
      }),
    );
    expect(printable('a\tb\nc')).toBe('a\tb\nc');
    expect(printable('\u001b[31mred\r')).toBe('�[31mred�');
  });

  it('keeps every language', () => {
    for (const text of ['Grüße', '日本語', 'שלום', 'العربية', '👩‍💻']) expect(printable(text)).toBe(text);
  });

  it('as JSON holds none either, and says exactly the same [SEC-4]', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: ANY_CHARACTER }), (value) => {
        const text = printableJson(value, 2);
        expect(text).not.toMatch(CONTROL);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('in one line is one line of at most the width', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 100 }), (text, width) => {
        const line = oneLine(text, width);
        expect([...line].length).toBeLessThanOrEqual(Math.max(2, width));
        expect(line).not.toMatch(/\n/);
      }),
    );
    expect(oneLine('  a\n b ', 10)).toBe('a b');
    expect(oneLine('abcdef', 4)).toBe('abc…');
    expect(oneLine('🎉🎉🎉', 2)).toBe('🎉…');
  });
});

it('counts and sizes read as people say them', () => {
  expect([plural(0, 'version'), plural(1, 'version'), plural(2, 'entry', 'entries')]).toEqual([
    '0 versions',
    '1 version',
    '2 entries',
  ]);
  expect([formatBytes(999), formatBytes(1500), formatBytes(10_000_000)]).toEqual([
    '999 B',
    '1.5 kB',
    '10.0 MB',
  ]);
});
