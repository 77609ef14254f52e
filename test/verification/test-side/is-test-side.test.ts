import { expect, it } from 'vitest';
import { actsByPlace, isTestSide } from '../../../src/verification/test-side/find-test-side.ts';

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
  ['src/spec/parser.rs', false],
  ['crates/cart/src/fixtures/mod.rs', false],
  ['src/spec/tests/parser.rs', true],
  ['src/test_utils.rs', true],
  ['tests/spec/parser.rs', true],
  ['tests/fixtures/crate/src/spec/lib.rs', true],
  ['src/main/java/org/shop/test/Cart.java', false],
  ['src/test/java/org/shop/Cart.java', true],
  ['src/main/test/cart.js', true],
  ['testing/data/E21.py', true],
  ['testing/runner.py', false],
  ['internal/testutil/equal.go', true],
  ['src/testUtils/render.tsx', true],
  ['internal/contestutil/equal.go', false],
])('%s belongs to the tests: %s', (path, expected) => {
  expect(isTestSide(path)).toBe(expected);
});

it.each([
  ['tests/unit/conftest.py', true],
  ['__mocks__/axios.js', true],
  ['test/package.json', true],
  ['test/fixtures/node_modules/chai/package.json', false],
  ['test/fixtures/node_modules/chai/index.js', true],
  ['test/fixtures/app/package.json', false],
  ['test/helper.js', false],
])('%s acts on tests that do not name it: %s', (path, expected) => {
  expect(actsByPlace(path)).toBe(expected);
});
