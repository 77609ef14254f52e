import { afterAll, describe, expect, it } from 'vitest';
import { whyMissing } from '../../support/why-missing.ts';
import { CheatBase, config, type Files, task } from './cheat-project.ts';
import { type Cheat, tryEach } from './expect-stopped.ts';

const HAS_PYTEST = whyMissing('python3', '-m', 'pytest', '--version') === undefined;
const because = HAS_PYTEST ? '' : ' (SKIPPED: pytest is not installed here)';

const COMMON: Files = {
  'tasks/TASK-001.md': task().replace('task_type: feature', 'task_type: refactor'),
  '.guardkit/config/quality-gates.yaml':
    'quality_gate_configs:\n  - {task_type: feature, complexity_range: [4, 6], coverage_required: false}\n',
};
const ASSERT_SUM =
  'exports.assertSum = (actual, expected) => {\n  if (!same(actual, expected)) throw new Error(`got ${actual}`);\n};\n';
const SAME = 'const same = (a, b) => a === b;\n';
const js = new CheatBase({
  ...COMMON,
  '.guardkit/config.yaml': config('tests:\n  command: node --test\n'),
  'package.json': '{ "name": "calc", "version": "1.0.0", "exports": { "./testing": "./src/testing.js" } }\n',
  'src/add.js': 'exports.add = (a, b) => a + b;\n',
  'src/testing.js': `${SAME}\n${ASSERT_SUM}`,
  'test/add.test.js':
    "const { test } = require('node:test');\nconst { add } = require('../src/add.js');\nconst { assertSum } = require('../src/testing.js');\ntest('adds', () => assertSum(add(2, 3), 5));\n",
});
const RATE =
  'class Rate:\n    def __init__(self, percent):\n        self.percent = percent\n\n    def __eq__(self, other):\n        return isinstance(other, Rate) and other.percent == self.percent\n\n\ndef parse(text):\n    return Rate(int(text))\n\n\ndef raises(error, run):\n    try:\n        run()\n    except error:\n        return\n    raise AssertionError("nothing raised")\n';
const python = new CheatBase({
  ...COMMON,
  '.guardkit/config.yaml': config('tests:\n  command: python3 -m pytest -q -p no:cacheprovider\n'),
  '.gitignore': '__pycache__\n',
  'conftest.py': 'pytest_plugins = ["tests.fixtures"]\n',
  'calc/__init__.py': '',
  'calc/rate.py': RATE,
  'tests/__init__.py': '',
  'tests/fixtures.py': 'import pytest\n\n\n@pytest.fixture\ndef nineteen():\n    return 19\n',
  'tests/test_rate.py':
    'from calc.rate import Rate, parse, raises\n\n\ndef test_parses(nineteen):\n    assert parse("19") == Rate(nineteen)\n\n\ndef test_refuses():\n    raises(ValueError, lambda: parse("x"))\n',
});
afterAll(() => {
  js.cleanup();
  python.cleanup();
});

const WRONG = 'exports.add = (a, b) => a - b;\n';
const stopped = { gate: 'no-test-weakened', reason: /src\/testing\.js/ };
const JS: Cheat[] = [
  {
    name: 'an emptied assertion that the product publishes does not pass',
    files: {
      'src/add.js': WRONG,
      'src/testing.js': `${SAME}\n${ASSERT_SUM.replace('!same(', 'false && same(')}`,
    },
    ...stopped,
  },
  {
    name: 'an emptied function that only the assertion uses does not pass',
    files: { 'src/add.js': WRONG, 'src/testing.js': `${SAME.replace('a === b', 'true')}\n${ASSERT_SUM}` },
    ...stopped,
  },
];
const wrongRate = RATE.replace('int(text))', 'int(text) + 1)');
const PYTHON: Cheat[] = [
  {
    name: 'a comparison of the product that answers true does not pass',
    files: { 'calc/rate.py': wrongRate.replace(' and other.percent == self.percent', '') },
    gate: 'no-test-weakened',
    reason: /test_parses/,
  },
  {
    name: 'a result that is equal to everything does not pass',
    files: {
      'calc/rate.py':
        `${RATE.replace('Rate(int(text))', 'Any()')}\n\nclass Any:\n    def __eq__(self, other):\n        return True\n\n\nint("1")\n`.replace(
          'return Any()',
          'return Any() if text != "x" else int(text)',
        ),
    },
    gate: 'tests',
    code: 'equals-everything',
    reason: /calc\/rate\.py/,
  },
  {
    name: 'an assertion beside product code that no longer fails does not pass',
    files: {
      'calc/rate.py': RATE.replace('int(text))', 'int(text) if text.isdigit() else 0)').replace(
        'raise AssertionError("nothing raised")',
        'return',
      ),
    },
    gate: 'no-test-weakened',
    reason: /test_refuses/,
  },
  {
    name: 'a weakened fixture in a module of pytest_plugins does not pass',
    files: {
      'calc/rate.py': wrongRate,
      'tests/fixtures.py': 'import pytest\n\n\n@pytest.fixture\ndef nineteen():\n    return 20\n',
    },
    gate: 'no-test-weakened',
    reason: /test_parses/,
  },
];

describe('in JavaScript', () => {
  describe.concurrent('cheats', () => tryEach(js, JS));

  it('such an assertion may change its message', async () => {
    const text = `${SAME}\n${ASSERT_SUM.replace('got', 'the sum is')}`;
    const answer = await js.project().write({ 'src/testing.js': text }).verify();
    expect(answer.gates.get('no-test-weakened')).toMatchObject({ result: 'pass' });
  });
});

describe.skipIf(!HAS_PYTEST)(`in Python${because}`, () => {
  describe.concurrent('cheats', () => tryEach(python, PYTHON));

  it('a comparison may become another one, and a fixture may be added', async () => {
    const files: Files = {
      'calc/rate.py': RATE.replace(
        'isinstance(other, Rate) and other.percent == self.percent',
        'type(other) is Rate and self.percent == other.percent',
      ),
      'tests/fixtures.py':
        'import pytest\n\n\n@pytest.fixture\ndef nineteen():\n    return 19\n\n\n@pytest.fixture\ndef seven():\n    return 7\n',
    };
    const answer = await python.project().write(files).verify();
    expect(answer.outcome, answer.stderr).toBe('pass');
  });
});
