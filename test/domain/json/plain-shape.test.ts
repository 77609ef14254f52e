import { describe, expect, it } from 'vitest';
import {
  isListOf,
  isNumber,
  isObject,
  isOneOf,
  isShape,
  isTableOf,
  isText,
  isTextOf,
  isWhole,
  orNothing,
  orNull,
} from '../../../src/domain/json/plain-shape.ts';

const isCup = isShape({
  name: isTextOf(1, 5),
  size: isWhole,
  colour: orNull(isOneOf(['red', 'blue'])),
  notes: orNothing(isListOf(isText)),
});

describe('a plain shape', () => {
  it('accepts a value that fits, with any other keys', () => {
    expect(isCup({ name: 'mug', size: 2, colour: 'red', notes: ['a'], more: 1 })).toBe(true);
    expect(isCup({ name: 'mug', size: 2, colour: null })).toBe(true);
  });

  it.each([
    ['a text that is too short', { name: '', size: 2, colour: null }],
    ['a text that is too long', { name: 'teacup', size: 2, colour: null }],
    ['a number that is not whole', { name: 'mug', size: 2.5, colour: null }],
    ['a number beyond what is exact', { name: 'mug', size: 2 ** 60, colour: null }],
    ['a word that is not among those it may be', { name: 'mug', size: 2, colour: 'pink' }],
    ['nothing where null would be right', { name: 'mug', size: 2 }],
    ['null where nothing would be right', { name: 'mug', size: 2, colour: null, notes: null }],
    ['an item that does not fit', { name: 'mug', size: 2, colour: null, notes: [1] }],
    ['a list', [{ name: 'mug', size: 2, colour: null }]],
    ['null', null],
    ['a text', 'mug'],
  ])('does not take %s', (_, value) => {
    expect(isCup(value)).toBe(false);
  });

  it('ignores inherited keys', () => {
    expect(isCup(Object.create({ name: 'mug', size: 2, colour: null }))).toBe(false);
    expect(isShape({ toString: isText })({})).toBe(false);
    expect(isCup(JSON.parse('{"__proto__": {"name": "mug", "size": 2, "colour": null}}'))).toBe(false);
  });

  it('accepts only numbers that JSON can represent', () => {
    expect([Number.NaN, Number.POSITIVE_INFINITY, '1', 1n].filter((value) => isNumber(value))).toEqual([]);
  });

  it('takes a table by its values', () => {
    expect(isTableOf(isText)({ a: 'x', b: 'y' })).toBe(true);
    expect([{ a: 1 }, ['x'], null].filter((value) => isTableOf(isText)(value))).toEqual([]);
  });
});

it('an object is neither an array, null nor a plain value', () => {
  expect([{}, Object.create(null), { length: 0 }].map(isObject)).toEqual([true, true, true]);
  expect([[], null, undefined, 'a', 1, () => {}].map(isObject)).toEqual(Array(6).fill(false));
});
