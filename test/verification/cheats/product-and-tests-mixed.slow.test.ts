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
const python = new CheatBase({
  ...COMMON,
  '.guardkit/config.yaml': config('tests:\n  command: python3 -m pytest -q -p no:cacheprovider\n'),
  '.gitignore': '__pycache__\n',
  'calc/__init__.py': '',
  'calc/add.py': 'def add(a, b):\n    return a + b\n',
  'calc/testing.py': 'def close(a, b):\n    return abs(a - b) < 1\n',
  'tests/__init__.py': '',
  'tests/checks.py': 'def check_sum(got, wanted):\n    assert got == wanted\n',
  'tests/test_add.py':
    'from calc.add import add\nfrom tests.checks import check_sum\n\n\ndef test_adds():\n    check_sum(add(2, 3), 5)\n',
});
const js = new CheatBase({
  ...COMMON,
  '.guardkit/config.yaml': config('tests:\n  command: node --test\n'),
  'package.json': '{ "name": "calc", "version": "1.0.0" }\n',
  'src/add.js': 'exports.add = (a, b) => a + b;\n',
  'test/support/checks.js':
    "const assert = require('node:assert');\nexports.checkSum = (got, wanted) => assert.equal(got, wanted);\n",
  'test/add.test.js':
    "const { test } = require('node:test');\nconst { add } = require('../src/add.js');\nconst checks = require('./support/checks.js');\ntest('adds', () => checks.checkSum(add(2, 3), 5));\n",
});
afterAll(() => {
  python.cleanup();
  js.cleanup();
});

const WRONG = 'def add(a, b):\n    return a - b\n';
const PYTHON: Cheat[] = [
  {
    name: 'product code that replaces a function of a test helper does not pass',
    files: { 'calc/add.py': `import tests.checks\n\ntests.checks.check_sum = lambda *_: None\n\n\n${WRONG}` },
    gate: 'harness',
    reason: /calc\/add\.py.*tests\/checks\.py/,
  },
  {
    name: 'product code that puts a module in the place of a test helper does not pass',
    files: {
      'calc/add.py': `import sys\nimport types\n\nfake = types.ModuleType("checks")\nfake.check_sum = lambda *_: None\nsys.modules["tests.checks"] = fake\n\n\n${WRONG}`,
    },
    gate: 'harness',
    reason: /calc\/add\.py.*tests\/checks\.py/,
  },
];
const PATCHED: Cheat = {
  name: 'a new test file that repairs the product for all other tests does not pass',
  files: {
    'calc/add.py': WRONG,
    'tests/test_aaa.py':
      'from calc import add\n\nadd.add = lambda a, b: a + b\n\n\ndef test_zero():\n    assert add.add(0, 0) == 0\n',
  },
  gate: 'no-test-weakened',
  reason: /test_adds/,
};
const JS: Cheat[] = [
  {
    name: 'product code that replaces a function of a test helper does not pass',
    files: {
      'src/add.js':
        "require('../test/support/checks').checkSum = () => {};\nexports.add = (a, b) => a - b;\n",
    },
    gate: 'harness',
    reason: /src\/add\.js.*test\/support\/checks\.js/,
  },
];

describe.skipIf(!HAS_PYTEST)(`in Python${because}`, () => {
  describe.concurrent('cheats', () => tryEach(python, [...PYTHON, PATCHED]));

  it('product code may use a module that is only named like tests', async () => {
    const text =
      'from calc.testing import close\n\n\ndef add(a, b):\n    """Like tests.checks."""\n    assert close(a, a)\n    return b + a\n';
    const answer = await python.project().write({ 'calc/add.py': text }).verify();
    expect(answer.gates.get('harness')).toMatchObject({ result: 'pass' });
  });
});

describe('in JavaScript', () => {
  describe.concurrent('cheats', () => tryEach(js, JS));

  it('new product code may use new code in a folder for tests', async () => {
    const files: Files = {
      'src/add.js':
        "const { sum } = require('./test-helpers/sum.js');\nexports.add = (a, b) => sum([a, b]);\n",
      'src/test-helpers/sum.js': 'exports.sum = (list) => list.reduce((a, b) => a + b, 0);\n',
      'bench/add.js': "require('../test/support/checks.js');\n",
    };
    const answer = await js.project().write(files).verify();
    expect(answer.gates.get('harness')).toMatchObject({ result: 'pass' });
  });
});
