import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ByteTail, OutputLog } from '../../../src/platform/processes/output-log.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { runs } from '../../support/thorough.ts';

function logOf(maxBytes: number, ...pieces: string[]): string {
  const path = join(temporaryFolder(), 'log');
  const log = new OutputLog({ path, maxBytes });
  for (const piece of pieces) log.add(Buffer.from(piece));
  log.commit();
  return readFileSync(path, 'utf8');
}

it('keeps all that fits', () => {
  expect(logOf(10, '01234', '56789')).toBe('0123456789');
  expect(logOf(10)).toBe('');
});

it('keeps the start and end of longer output, and notes how much is omitted', () => {
  expect(logOf(10, '0123456789', 'abcdefghij')).toMatch(/^01234\n\[guardkit: 10\b.*\]\nfghij$/);
});

it('cuts no character', () => {
  expect(logOf(8, '€€€', '€€€')).toMatch(/^€\n\[guardkit: 12\b.*\]\n€$/);
});

it('loses nothing and invents nothing, however the output comes', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 50 }),
      fc.array(fc.string({ unit: 'grapheme', maxLength: 30 })),
      (maxBytes, pieces) => {
        const all = pieces.join('').toWellFormed();
        const log = logOf(maxBytes, ...pieces.map((piece) => piece.toWellFormed()));
        const [head = '', count, end = ''] = log.split(/\n\[guardkit: (\d+)\b.*\]\n/);
        expect(all.startsWith(head) && all.endsWith(end)).toBe(true);
        expect(Buffer.byteLength(head + end) + Number(count ?? 0)).toBe(Buffer.byteLength(all));
        expect(Buffer.byteLength(head + end)).toBeLessThanOrEqual(maxBytes);
      },
    ),
    { numRuns: runs(60) },
  );
});

it('that is thrown away was never there', () => {
  const folder = temporaryFolder();
  const log = new OutputLog({ path: join(folder, 'log'), maxBytes: 10 });
  log.add(Buffer.from('x'));
  log.discard();
  expect(readdirSync(folder)).toEqual([]);
});

it('keeps the last bytes for any input in any chunks', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 40 }), fc.array(fc.string({ maxLength: 60 })), (size, pieces) => {
      const tail = new ByteTail(size);
      // ASCII only: no character is cut.
      const ascii = pieces.map((piece) => piece.replace(/[^ -~]/g, '.'));
      for (const piece of ascii) tail.add(Buffer.from(piece));
      expect(tail.toString()).toBe(size === 0 ? '' : ascii.join('').slice(-size));
    }),
  );
});

it('starts with a whole character', () => {
  const tail = new ByteTail(4);
  tail.add(Buffer.from('€€'));
  expect(tail.toString()).toBe('€');
});
