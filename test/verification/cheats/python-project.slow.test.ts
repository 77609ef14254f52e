import { afterAll, describe, expect, it } from 'vitest';
import { whyMissing } from '../../support/why-missing.ts';
import { CheatBase, config, NODE_PROJECT } from './cheat-project.ts';
import { type Cheat, tryEach } from './expect-stopped.ts';

const HAS_PYTEST = whyMissing('python3', '-m', 'pytest', '--version') === undefined;
const describePython = HAS_PYTEST ? describe : describe.skip;
const because = HAS_PYTEST ? '' : ' (SKIPPED: pytest is not installed here)';

const HONEST = {
  'calc/multiply.py': 'def multiply(a, b):\n    return a * b\n',
  'tests/test_multiply.py':
    'from calc.multiply import multiply\n\n\ndef test_multiplies():\n    assert multiply(2, 3) == 6\n',
};
const WRONG = { ...HONEST, 'calc/multiply.py': 'def multiply(a, b):\n    return a + b\n' };
const ADD_TEST = 'from calc.add import add\n\n\ndef test_adds():\n    assert add(2, 3) == 5\n';
const ZERO_TEST = 'from calc.zero import zero\n\n\ndef test_value():\n    assert zero() == 0\n';
const OTHER_TEST = 'from calc.add import add\n\n\ndef test_value():\n    assert add(0, 1) == 1\n';

const base = new CheatBase({
  'tasks/TASK-001.md': NODE_PROJECT['tasks/TASK-001.md'] ?? '',
  '.guardkit/config.yaml': config('tests:\n  command: python3 -m pytest -q -p no:cacheprovider\n'),
  '.guardkit/config/quality-gates.yaml':
    'quality_gate_configs:\n  - {task_type: feature, complexity_range: [4, 6], coverage_required: false}\n',
  '.gitignore': '__pycache__\n',
  'calc/__init__.py': '',
  'calc/add.py': 'def add(a, b):\n    return a + b\n',
  'tests/test_add.py': ADD_TEST,
  'calc/day.py': 'def month(day):\n    return day[5:7]\n',
  'tests/test_day.py':
    'import pytest\nfrom calc.day import month\n\n\n@pytest.mark.parametrize("day", ["2024-01-01", "2024-02-01"])\ndef test_month(day):\n    assert month(day) in ("01", "02")\n',
  'calc/zero.py': 'def zero():\n    return 0\n',
  'tests/test_zero.py': ZERO_TEST,
  'tests/test_other.py': OTHER_TEST,
});
afterAll(() => base.cleanup());

const HARNESS: [name: string, files: Record<string, string>, reason: RegExp][] = [
  [
    'a hook in conftest.py that turns failures into passes',
    {
      'conftest.py':
        "import pytest\n\n\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    outcome = yield\n    outcome.get_result().outcome = 'passed'\n",
    },
    /conftest\.py/,
  ],
  [
    'a conftest.py that excludes test files',
    { 'conftest.py': "collect_ignore = ['tests/test_multiply.py']\n" },
    /conftest\.py/,
  ],
  ['a pytest.ini that selects tests', { 'pytest.ini': '[pytest]\naddopts = -k adds\n' }, /pytest\.ini/],
  [
    'a pyproject.toml that selects tests',
    { 'pyproject.toml': '[tool.pytest.ini_options]\naddopts = "-k adds"\n' },
    /pyproject\.toml/,
  ],
  ['a module that shadows pytest', { 'pytest.py': 'raise SystemExit(0)\n' }, /pytest\.py/],
  [
    'a package that shadows pytest',
    { 'pytest/__init__.py': '', 'pytest/__main__.py': 'raise SystemExit(0)\n' },
    /pytest\/__/,
  ],
  ['a sitecustomize.py', { 'sitecustomize.py': 'import os\n' }, /sitecustomize\.py/],
  [
    'a plugin found through forged package metadata',
    {
      'evil.egg-info/entry_points.txt': '[pytest11]\nevil = evil\n',
      'evil.egg-info/PKG-INFO': 'Metadata-Version: 2.1\nName: evil\nVersion: 1\n',
      'evil.py':
        "import pytest\n\n\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    outcome = yield\n    outcome.get_result().outcome = 'passed'\n",
    },
    /egg-info|evil/,
  ],
];

const CHEATS: Cheat[] = [
  ...HARNESS.map(
    ([name, files, reason]): Cheat => ({
      name: `${name} is a changed harness`,
      files: { ...WRONG, ...files },
      gate: 'harness',
      reason,
    }),
  ),
  {
    name: 'a test marked as expected to fail is a lost test',
    files: {
      ...HONEST,
      'calc/add.py': 'def add(a, b):\n    return 0\n',
      'tests/test_add.py': `import pytest\n${ADD_TEST.replace('def test', '@pytest.mark.xfail\ndef test')}`,
    },
    gate: 'no-test-lost',
    reason: /test_adds/,
  },
  {
    name: 'a row that the product skips is lost, although other rows differ only in their date',
    files: {
      ...HONEST,
      'calc/day.py':
        'import unittest\n\n\ndef month(day):\n    if day == "2024-01-01":\n        raise unittest.SkipTest("no")\n    return day[5:7]\n',
    },
    gate: 'no-test-lost',
    code: 'skipped',
    reason: /2024-01-01/,
  },
  {
    name: 'a test that the product skips is lost, although one of the same name was renamed elsewhere',
    files: {
      ...HONEST,
      'calc/zero.py': 'import unittest\n\n\ndef zero():\n    raise unittest.SkipTest("no")\n',
      'tests/test_other.py': OTHER_TEST.replace('test_value', 'test_another_value'),
    },
    gate: 'no-test-lost',
    code: 'skipped',
    reason: /test_value/,
  },
  {
    name: 'a test whose module the product skips is lost, although there is a new one of the same name',
    files: {
      ...HONEST,
      'calc/zero.py':
        'import pytest\n\npytest.skip("no", allow_module_level=True)\n\n\ndef zero():\n    return 1\n',
      'tests/test_more.py': OTHER_TEST,
    },
    gate: 'no-test-lost',
    code: 'not-run',
    reason: /test_value/,
  },
  {
    name: 'a test with a condition that always skips it is lost',
    files: {
      ...HONEST,
      'tests/test_zero.py': `import sys\nimport pytest\n${ZERO_TEST.replace('def test', '@pytest.mark.skipif(sys.version_info >= (3,), reason="no")\ndef test')}`,
    },
    gate: 'no-test-lost',
    code: 'skipped',
    reason: /test_value/,
  },
  {
    name: 'a test that the product skips under its new name is lost',
    files: {
      ...HONEST,
      'calc/zero.py':
        'import sys\nimport unittest\n\n\ndef zero():\n    if sys._getframe(1).f_code.co_name == "test_nothing":\n        raise unittest.SkipTest("no")\n    return 0\n',
      'tests/test_zero.py': ZERO_TEST.replace('test_value', 'test_nothing'),
    },
    gate: 'no-test-lost',
    code: 'not-run',
    reason: /test_value/,
  },
  {
    name: 'a test that ends the whole run does not pass',
    files: { ...HONEST, 'tests/test_zero.py': 'import os\n\n\ndef test_ends():\n    os._exit(0)\n' },
    gate: 'tests',
    result: 'either',
    reason: /./,
  },
];

describePython.concurrent(`tests of pytest that lie${because}`, () => {
  it('the honest change behind these cheats passes', async () => {
    const answer = await base.project().write(HONEST).verify();
    expect(answer.exitCode, answer.stdout + answer.stderr).toBe(0);
  });

  tryEach(base, CHEATS);
});
