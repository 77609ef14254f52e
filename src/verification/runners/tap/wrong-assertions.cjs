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

/** For methods of chai, whose own functions wrap a replacement. */
const WRONG_METHODS = {
  ...WRONG_EXPECTATIONS,
  equal: (expect) => expect(1).to.equal(2),
  equals: (expect) => expect(1).equals(2),
  eq: (expect) => expect(1).to.eq(2),
  eql: (expect) => expect({ a: 1 }).to.eql({ a: 2 }),
  eqls: (expect) => expect({ a: 1 }).eqls({ a: 2 }),
  include: (expect) => expect([1]).to.include(2),
  includes: (expect) => expect([1]).includes(2),
  contain: (expect) => expect([1]).to.contain(2),
  contains: (expect) => expect([1]).contains(2),
  above: (expect) => expect(1).to.be.above(2),
  below: (expect) => expect(2).to.be.below(1),
  property: (expect) => expect({}).to.have.property('a'),
  throw: (expect) => expect(() => {}).to.throw(),
  throws: (expect) => expect(() => {}).throws(),
  match: (expect) => expect('a').to.match(/b/),
  satisfy: (expect) => expect(1).to.satisfy(() => false),
  ok: (expect) => expect(0).to.be.ok,
  true: (expect) => expect(false).to.be.true,
  false: (expect) => expect(true).to.be.false,
  null: (expect) => expect(1).to.be.null,
  exist: (expect) => expect(null).to.exist,
};

module.exports = { WRONG, WRONG_EXPECTATIONS, WRONG_METHODS };
