import { expect, it } from 'vitest';
import { isTestSide } from '../../../src/verification/test-side/find-test-side.ts';

it.each([
  ['t/00-load.t', true],
  ['t/lib/Helper.pm', true],
  ['lib/t/Product.pm', false],
  ['test.c', true],
  ['src/cart_test.cc', true],
  ['src/cart_unittest.cpp', true],
  ['test_cart.h', true],
  ['src/latest.c', false],
  ['src/contest.h', false],
  ['Shop.Tests/CartTests.cs', true],
  ['Shop/Cart.cs', false],
  ['spec/cart_spec.rb', true],
  ['lib/cart.rb', false],
])('%s belongs to the tests: %s', (path, expected) => {
  expect(isTestSide(path)).toBe(expected);
});
