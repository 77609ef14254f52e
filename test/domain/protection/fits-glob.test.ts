import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { fitsGlob, globMatcher } from '../../../src/domain/protection/fits-glob.ts';
import { runs } from '../../support/thorough.ts';

/** The meaning of a glob, as simply as possible. */
function means(text: string, glob: string): boolean {
  const ends = Array.from({ length: text.length + 1 }, (_, end) => end);
  if (glob === '') return text === '';
  if (glob.startsWith('**/'))
    return ends.some((end) => (end === 0 || text[end - 1] === '/') && means(text.slice(end), glob.slice(3)));
  if (glob.startsWith('**')) return ends.some((end) => means(text.slice(end), glob.slice(2)));
  if (glob.startsWith('*'))
    return ends.some((end) => !text.slice(0, end).includes('/') && means(text.slice(end), glob.slice(1)));
  if (text === '' || (glob[0] === '?' ? text[0] === '/' : text[0] !== glob[0])) return false;
  return means(text.slice(1), glob.slice(1));
}

it('a text fits a glob exactly if the simple definition says so', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '/', '.'), maxLength: 8 });
  const glob = fc
    .array(fc.constantFrom('a', 'b', '/', '.', '*', '**', '**/', '?'), { maxLength: 6 })
    .map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(text, text, glob, (one, other, pattern) => {
      expect(fitsGlob(one, pattern)).toBe(means(one, pattern));
      const fits = globMatcher(pattern);
      for (const each of [one, other, one]) expect(fits(each)).toBe(means(each, pattern));
    }),
    { numRuns: runs(3000) },
  );
});

it.each([
  ['src/a/b.ts', 'src/**/*.ts', true],
  ['src/b.ts', 'src/**/*.ts', true],
  ['srcs/b.ts', 'src/**', false],
  ['db/1/x', 'db/*', false],
  ['', '**', true],
  ['', '**/', true],
  ['ab', '**/b', false],
])('%s against %s is %s', (text, glob, fits) => {
  expect(fitsGlob(text, glob)).toBe(fits);
});
