import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FRAMES, FrameReader, frame } from '../../../src/enforcement/broker/command-frames.ts';

const frames = fc.array(
  fc.record({ type: fc.constantFrom(...FRAMES), content: fc.uint8Array({ maxLength: 200 }) }),
  { maxLength: 20 },
);

it('frames survive any split of the bytes', () => {
  fc.assert(
    fc.property(frames, fc.array(fc.nat(50), { minLength: 1, maxLength: 50 }), (given, cuts) => {
      let bytes = Buffer.concat(given.map(({ type, content }) => frame(type, content)));
      const reader = new FrameReader();
      const read = [];
      for (let at = 0; bytes.length > 0; at++) {
        const length = 1 + (cuts[at % cuts.length] ?? 0);
        read.push(...reader.read(bytes.subarray(0, length)));
        bytes = bytes.subarray(length);
      }
      expect(read.map(({ type, content }) => ({ type, content: [...content] }))).toEqual(
        given.map(({ type, content }) => ({ type, content: [...content] })),
      );
    }),
  );
});

it.each([
  ['an unknown type', Buffer.from([99, 0, 0, 0, 0])],
  ['a length that no frame has', Buffer.from([0, 255, 255, 255, 255])],
])('%s is refused', (_what, bytes) => {
  expect(() => new FrameReader().read(bytes)).toThrow(Error);
});
