import { afterEach, describe, expect, it } from 'vitest';
import { findPython } from './python-project.ts';
import { TestProject } from './test-project.ts';

const PYTEST = findPython('pytest');

let project: TestProject | undefined;
afterEach(() => project?.remove());

const TEST = `import unittest
import pytest
from calc.add import add


class TestAdd(unittest.TestCase):
    def test_adds(self):
        self.assertEqual(add(2, 3), 5)


def test_adds():
    assert add(2, 3) == 5


def test_raises():
    with pytest.raises(TypeError):
        add(2, None)
`;
const ADD = 'def add(a, b):\n    return a + b\n';

/** The codes and files of the faults after a run of these files. */
async function faultsOf(files: Record<string, string>, command = `${PYTEST} -m pytest -q`) {
  project = new TestProject({
    'calc/__init__.py': '',
    'calc/add.py': ADD,
    'tests/test_add.py': TEST,
    ...files,
  });
  const { stdout, stderr } = await project.run(command);
  const { reports, unreadable } = await project.collect(stdout);
  expect(unreadable, stdout + stderr).toEqual([]);
  return reports.flatMap(({ faults }) => faults).map(({ code, file }) => [code, file]);
}

const PATCHES: [name: string, patch: string][] = [
  ['a method of TestCase', 'import unittest\nunittest.TestCase.assertEqual = lambda *_: None\n'],
  [
    'the code of a method',
    'import unittest\nunittest.TestCase.assertEqual.__code__ = (lambda *a, **k: None).__code__\n',
  ],
  [
    'a method by another one',
    'import unittest\nunittest.TestCase.assertEqual = unittest.TestCase.addTypeEqualityFunc\n',
  ],
  ['a method by a built-in', 'import unittest\nunittest.TestCase.assertEqual = print\n'],
  [
    'a method by a mock',
    'import unittest, unittest.mock\nunittest.TestCase.assertEqual = unittest.mock.MagicMock()\n',
  ],
  [
    'a method by one that only some values pass',
    'import unittest\nreal = unittest.TestCase.assertEqual\n\ndef sly(self, a, b, msg=None):\n    return None if b == 5 else real(self, a, b, msg)\n\nunittest.TestCase.assertEqual = sly\n',
  ],
  [
    'how TestCase finds its methods',
    'import unittest\nunittest.TestCase.__getattribute__ = lambda self, name: object.__getattribute__(self, name)\n',
  ],
  [
    'pytest.raises',
    'import contextlib, pytest\n\n@contextlib.contextmanager\ndef quiet(*_, **__):\n    yield\n\npytest.raises = quiet\n',
  ],
  [
    'the rewriting of assert',
    'import _pytest.assertion.rewrite as rewrite\nrewrite.rewrite_asserts = lambda *_, **__: None\n',
  ],
  ['how pytest calls a test', 'import _pytest.python\n_pytest.python.Function.runtest = lambda self: None\n'],
  [
    'AssertionError',
    'import builtins\n\nclass Quiet(Exception):\n    pass\n\nbuiltins.AssertionError = Quiet\n',
  ],
  [
    'the methods of mocks',
    'import unittest.mock as mock\nmock.NonCallableMock.assert_called_with = lambda *_, **__: None\n',
  ],
];

describe.skipIf(!PYTEST)(
  `assertions in Python${PYTEST ? '' : ' (SKIPPED: pytest is not installed here)'}`,
  () => {
    it.each(PATCHES)('code under test that replaces %s is a fault', async (_name, patch) => {
      const faults = await faultsOf({ 'calc/add.py': patch + ADD });
      expect(faults).not.toEqual([]);
      expect(faults.map(([code]) => code)).toEqual(faults.map(() => 'assertions-replaced'));
    });

    it('the file of the replacement is named', async () => {
      const faults = await faultsOf({ 'calc/add.py': (PATCHES[0]?.[1] ?? '') + ADD });
      expect(faults).toContainEqual(['assertions-replaced', 'calc/add.py']);
    });

    it('code under test that replaces a method of TestCase is a fault in unittest too', async () => {
      const faults = await faultsOf(
        {
          'calc/add.py': (PATCHES[0]?.[1] ?? '') + ADD,
          'tests/__init__.py': '',
          'tests/test_add.py':
            'import unittest\nfrom calc.add import add\n\nclass Add(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual(add(2, 3), 6)\n',
        },
        `${PYTEST} -m unittest discover -s tests -t .`,
      );
      expect(faults).toContainEqual(['assertions-replaced', 'calc/add.py']);
    });

    it('code under test that makes itself a plugin during the run is a fault', async () => {
      const patch = `import gc
from _pytest.config import PytestPluginManager

class Hooks:
    def pytest_runtest_logreport(self, report):
        pass

for one in gc.get_objects():
    if isinstance(one, PytestPluginManager):
        one.register(Hooks())
`;
      expect(await faultsOf({ 'calc/add.py': patch + ADD })).toEqual([
        ['assertions-replaced', 'calc/add.py'],
      ]);
    });

    it.each([
      ['nothing', {}],
      [
        'assertions that a test file adds or wraps',
        {
          'tests/test_more.py': `import unittest
real = unittest.TestCase.assertEqual

def loud(self, first, second, msg=None):
    real(self, first, second, msg or "loud")

unittest.TestCase.assertEqual = loud
unittest.TestCase.assertSum = lambda self, a, b: self.assertEqual(sum(a), b)

class Sum(unittest.TestCase):
    def test_sum(self):
        self.assertSum([1, 2], 3)
`,
        },
      ],
      [
        'hooks and fixtures of conftest.py',
        {
          'conftest.py': `import pytest
from unittest import mock

def pytest_assertrepr_compare(op, left, right):
    return None

@pytest.fixture(autouse=True)
def patched(monkeypatch):
    monkeypatch.setattr("builtins.round", lambda value: 1)
    with mock.patch("unittest.TestCase.assertEqual"):
        yield
`,
        },
      ],
      [
        'new methods that code under test adds',
        {
          'calc/add.py': `import unittest\nunittest.TestCase.assertSum = lambda self, a, b: self.assertEqual(sum(a), b)\n${ADD}`,
        },
      ],
    ] as [string, Record<string, string>][])('%s is no fault', async (_name, files) => {
      expect(await faultsOf(files)).toEqual([]);
    });
  },
);
