import { expect, it } from 'vitest';
import { isObject } from '../../../src/domain/json/is-object.ts';

it('an object is told from a list, from null and from what is none', () => {
  expect([{}, Object.create(null), { length: 0 }].map(isObject)).toEqual([true, true, true]);
  expect([[], null, undefined, 'a', 1, () => {}].map(isObject)).toEqual(Array(6).fill(false));
});
