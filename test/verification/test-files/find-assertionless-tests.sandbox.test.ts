import { describe, expect, it } from 'vitest';
import { findAssertionlessTests } from '../../../src/verification/test-files/read-test-cases.ts';

const found = (text: string) => findAssertionlessTests([{ path: 'test/a.test.js', text }]);

describe('a test file without assertions', () => {
  it.each([
    "it('a', () => {});",
    "it('a', () => { expect(1).toBe(1); });",
    "it('a', () => { assert.ok(true); });",
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
    "import { same } from './support/same.js';\nit('a', () => { same(x, 1); });",
  ])('is not confused with one that asserts: %s', (text) => {
    expect(found(text)).toEqual([]);
  });
});
