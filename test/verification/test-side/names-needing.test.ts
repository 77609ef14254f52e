import { expect, it } from 'vitest';
import { namesNeeding } from '../../../src/verification/test-side/names-needing.ts';

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
