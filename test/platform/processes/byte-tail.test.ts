import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ByteTail } from '../../../src/platform/processes/byte-tail.ts';

it('keeps the last bytes of whatever comes in whatever pieces', () => {
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

it('begins with a whole character', () => {
  const tail = new ByteTail(4);
  tail.add(Buffer.from('€€'));
  expect(tail.toString()).toBe('€');
});
