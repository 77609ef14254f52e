'use strict';

/** Each must throw. `expect` is tried only after the tests of a file, since it counts its calls. */
const WRONG = {
  ok: (f) => f(false),
  equal: (f) => f(1, 2),
  notEqual: (f) => f(1, 1),
  strictEqual: (f) => f(1, 2),
  notStrictEqual: (f) => f(1, 1),
  deepEqual: (f) => f({ a: 1 }, { a: 2 }),
  deepStrictEqual: (f) => f({ a: 1 }, { a: 2 }),
  notDeepEqual: (f) => f({ a: 1 }, { a: 1 }),
  notDeepStrictEqual: (f) => f({ a: 1 }, { a: 1 }),
  throws: (f) => f(() => {}),
  doesNotThrow: (f) =>
    f(() => {
      throw new Error('thrown');
    }),
  match: (f) => f('a', /b/),
  doesNotMatch: (f) => f('a', /a/),
  fail: (f) => f('failed'),
};
const WRONG_EXPECTATIONS = {
  toBe: (expect) => expect(1).toBe(2),
  toEqual: (expect) => expect({ a: 1 }).toEqual({ a: 2 }),
  toStrictEqual: (expect) => expect({ a: 1 }).toStrictEqual({ a: 2 }),
  toMatchObject: (expect) => expect({ a: 1 }).toMatchObject({ a: 2 }),
  toContain: (expect) => expect([1]).toContain(2),
  toMatch: (expect) => expect('a').toMatch(/b/),
  toThrow: (expect) => expect(() => {}).toThrow(),
  toBeTruthy: (expect) => expect(0).toBeTruthy(),
  toBeFalsy: (expect) => expect(1).toBeFalsy(),
  toBeNull: (expect) => expect(1).toBeNull(),
  toBeDefined: (expect) => expect(undefined).toBeDefined(),
  toHaveLength: (expect) => expect([]).toHaveLength(1),
};

module.exports = { WRONG, WRONG_EXPECTATIONS };
