import { expect, it } from 'vitest';
import { namesNeeding, testsNeeding } from '../../../src/verification/test-side/names-needing.ts';

const CONFTEST = `import pytest
from calc import old

@pytest.fixture
def first():
    return old()

@pytest.fixture
def second(first):
    return first + 1

@pytest.fixture
def other():
    return 1
`;

it('fixtures that need a removed name, directly or through others, are known', () => {
  expect([...(namesNeeding([{ path: 'conftest.py', text: CONFTEST }], ['old']) ?? [])]).toEqual([
    'old',
    'first',
    'second',
  ]);
});

it('functions of one helper that need it through another one are known', () => {
  const helpers = [
    {
      path: 'test/b.js',
      text: "import { makeOld } from './a.js';\nexport const makeAll = () => [makeOld()];\n",
    },
    { path: 'test/a.js', text: 'export const makeOld = () => old();\nexport const items = [1];\n' },
  ];
  expect([...(namesNeeding(helpers, ['old']) ?? [])]).toEqual(['old', 'makeOld', 'makeAll']);
});

it.each([
  ['a statement', 'test/set-up.js', 'old();\n'],
  ['a hook of pytest', 'conftest.py', 'def pytest_configure(config):\n    old()\n'],
  ['a fixture for all tests', 'conftest.py', '@pytest.fixture(autouse=True)\ndef ready():\n    old()\n'],
])('%s that needs one concerns every test', (_what, path, text) => {
  expect(namesNeeding([{ path, text }], ['old'])).toBeUndefined();
});

const PYTHON = `import unittest
from unittest.mock import patch
from calc.core import old, total


class TotalTest(unittest.TestCase):
    """It is older than old()."""
    def test_total(self):
        self.assertEqual(total([1, 2]), 3)

    def test_property(self):
        self.assertEqual(self.old, 3)


class OldTest(unittest.TestCase):
    def setUp(self):
        self.old = old()

    def test_own(self):
        self.assertEqual(1, 1)


class InheritedTest(OldTest):
    def test_inherited(self):
        self.assertEqual(1, 1)


class PatchTest(unittest.TestCase):
    @patch('calc.core.old')
    def test_patched(self, _):
        self.assertEqual(1, 1)
`;

const JAVASCRIPT = `import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import * as helpers from './helpers.js';
import { makeOld as make } from './helpers.js';
import { old, total } from '../src/calc.js';

const first = () => old();
const second = () => first() + 1;
const item = [1];

describe('total', () => {
  it('adds', () => assert.equal(total([1]), 1));
  it('reads a property', () => assert.equal(total(item.old), 1));
  it('calls', () => assert.equal(second(), 2));
  it('makes', () => assert.equal(make(), 2));
  it('makes by the module', () => assert.equal(helpers.makeOld(), 2));
});

describe('old', () => {
  beforeEach(() => old());
  it('prepares', () => assert.equal(1, 1));
});
`;

it.each([
  ['TotalTest > test_total', false, 'tests/test_core.py', PYTHON],
  ['TotalTest > test_property', false, 'tests/test_core.py', PYTHON],
  ['OldTest > test_own', true, 'tests/test_core.py', PYTHON],
  ['InheritedTest > test_inherited', true, 'tests/test_core.py', PYTHON],
  ['PatchTest > test_patched', true, 'tests/test_core.py', PYTHON],
  ['total > adds', false, 'test/calc.test.js', JAVASCRIPT],
  ['total > reads a property', false, 'test/calc.test.js', JAVASCRIPT],
  ['total > calls', true, 'test/calc.test.js', JAVASCRIPT],
  ['total > makes', true, 'test/calc.test.js', JAVASCRIPT],
  ['total > makes by the module', true, 'test/calc.test.js', JAVASCRIPT],
  ['old > prepares', true, 'test/calc.test.js', JAVASCRIPT],
  ['total > adds', true, 'test/calc.test.js', `${JAVASCRIPT}\nbeforeEach(() => old());\n`],
  ['TotalTest > test_total', true, 'tests/test_core.py', `${PYTHON}\n\ndef setUpModule():\n    old()\n`],
  ['unknown', true, 'tests/test_core.py', PYTHON],
])('the test %s needs a removed name: %s', (name, needs, path, text) => {
  expect(testsNeeding({ path, text }, ['old', 'makeOld'])(name)).toBe(needs);
});
