import { describe, expect, it } from 'vitest';
import { findAssertionlessTests } from '../../../src/verification/test-files/read-test-cases.ts';

const found = (text: string) => findAssertionlessTests([{ path: 'test/a.test.js', text }]);

describe('a test file without assertions', () => {
  it.each([
    "it('a', () => {});",
    "it('a', () => { expect(1).toBe(1); });",
    "it('a', () => { assert.ok(true); });",
    "t.test('a', ct => { other.equal(x, 1); ct.equal(1, 1) });",
  ])('is found: %s', (text) => {
    expect(found(text)).toEqual(['test/a.test.js']);
  });

  it.each([
    "it('a', () => { expect(x).toBe(1); });",
    "it('a', (done) => { request(app).get('/').expect(200, 'ok', done); });",
    "it('a', () => { throw new Error(); });",
    "it('a', () => require('node:assert').ok(x));",
    "it('a', () => { require('assert')(x); });",
    "it('a', (done) => load((err) => done(err)));",
    "test('a', ({ is }) => { is(x, 1); });",
    "it('a', () => { expectType<string>(x); });",
    "it('a', () => { expectTypeOf<List<Item<string>>>().toEqualTypeOf<string>(); });",
    "t.test('a', ct => { ct.equal(x, 1) });",
    "test('a', { skip: false }, async function named(assertions) { assertions.deepEqual(x, 1); });",
    'test.serial(title, async (child) => child.is(x, 1));',
    "import { same } from './support/same.js';\nit('a', () => { same(x, 1); });",
  ])('is not confused with one that asserts: %s', (text) => {
    expect(found(text)).toEqual([]);
  });

  it.each([
    ['from pkg.test.harness import TestCase', []],
    ['from pkg.tests import TestCase', []],
    ['from unittest import TestCase', ['pkg/test/test_a.py']],
    ['from pkg.checker import TestCase', ['pkg/test/test_a.py']],
  ])('may inherit its assertions from a helper inside the package: %s', (line, expected) => {
    const text = `${line}\n\nclass A(TestCase):\n    def test_a(self):\n        self.flakes('x')\n`;
    expect(findAssertionlessTests([{ path: 'pkg/test/test_a.py', text }])).toEqual(expected);
  });

  it('may call a fixture that asserts', () => {
    const of = (body: string) =>
      findAssertionlessTests([
        { path: 'tests/test_a.py', text: `def test_a(check, tmp_path):\n    ${body}\n` },
      ]);
    expect(of('check(load(tmp_path))')).toEqual([]);
    expect(of('load(tmp_path)')).toEqual(['tests/test_a.py']);
  });
});
