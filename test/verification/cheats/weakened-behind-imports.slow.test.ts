import { afterAll, describe, expect, it } from 'vitest';
import { whyMissing } from '../../support/why-missing.ts';
import { CheatBase, config, type Files, HONEST, task, UNMEASURED_PROJECT } from './cheat-project.ts';
import { expectStopped } from './expect-stopped.ts';

const gate = 'no-test-weakened';

/** By the name of a test file: how it loads `old`, of which the change deletes the module. */
const FORMS = {
  'default.test.js': "import old from '../src/old.js';\n",
  'whole.test.js': "import * as old from '../src/old.js';\n",
  'lines.test.js': "import {\n  // Of the first version.\n  old,\n  older,\n} from '../src/old.js';\n",
  'required.test.cjs': "const old = require('../src/old.cjs');\n",
};
const CODE =
  'export const twice = (number) => 2 * number;\nexport const half = (number) => number / 2;\nexport const same = (number) => number;\nexport const next = (number) => number + 1;\n';
const TESTED = {
  'default.test.js': 'twice(3)',
  'whole.test.js': 'half(12)',
  'lines.test.js': 'same(6)',
  'required.test.cjs': 'next(5)',
};
type TestName = keyof typeof FORMS;
const NAMES = Object.keys(FORMS) as TestName[];

/** Each with a test of what stays and one of what the change deletes. */
function testFile(name: TestName, { legacy = true, expected = '6' } = {}): string {
  const call = TESTED[name];
  const [tested = ''] = call.split('(');
  const load = name.endsWith('.cjs')
    ? `const assert = require('node:assert/strict');\nconst { test } = require('node:test');\nconst { ${tested} } = require('../src/numbers.cjs');\n`
    : `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { ${tested} } from '../src/numbers.js';\n`;
  const ofOld = `\ntest('${name}: old', () => assert.ok(old));\n`;
  return `${load}${legacy ? FORMS[name] : ''}\ntest('${name}: numbers', () => assert.equal(${call}, ${expected}));\n${legacy ? ofOld : ''}`;
}

function commonJs(code: string): string {
  return code.replaceAll(/export const (\w+)/g, 'exports.$1');
}

const BASE: Files = {
  ...UNMEASURED_PROJECT,
  'tasks/TASK-001.md': task('', '- `multiply(a, b)` gives the product\n- The old functions are removed'),
  'src/numbers.js': CODE,
  'src/numbers.cjs': commonJs(CODE),
  'src/old.js': 'export const old = 1;\nexport const older = 2;\nexport default old;\n',
  'src/old.cjs': 'module.exports = 1;\n',
  ...Object.fromEntries(NAMES.map((name) => [`test/${name}`, testFile(name)])),
};
/** The modules are deleted, with the tests of them. */
const REMOVED: Files = {
  ...HONEST,
  'src/old.js': null,
  'src/old.cjs': null,
  ...Object.fromEntries(NAMES.map((name) => [`test/${name}`, testFile(name, { legacy: false })])),
};

describe('a test that is weakened while a module that its file loads is deleted', () => {
  const base = new CheatBase(BASE);
  afterAll(() => base.cleanup());

  for (const name of NAMES)
    it(`is found: ${name}`, async () => {
      const [tested = ''] = TESTED[name].split('(');
      const broken = CODE.replace(`${tested} = (number) => `, `${tested} = (number) => 1 + `);
      const answer = await base
        .project()
        .write({
          ...REMOVED,
          'src/numbers.js': broken,
          'src/numbers.cjs': commonJs(broken),
          [`test/${name}`]: testFile(name, { legacy: false, expected: '7' }),
        })
        .verify();
      expectStopped(answer, { gate, reason: new RegExp(`${name}: numbers`) });
    });

  it('is not, if only the tests of the deleted module go', async () => {
    const answer = await base.project().write(REMOVED).verify();
    const shown = [...answer.gates.values()].map(
      ({ gate, result, reason }) => `${gate} ${result}: ${reason}`,
    );
    expect(answer.gates.get(gate)?.result, shown.join('\n')).toBe('pass');
  });
});

const TOTAL = 'export const total = (items) => items.reduce((sum, one) => sum + one, 0);\n';
const BROKEN = TOTAL.replace(', 0)', ', 1)');
const totals = (load: string, expected: number, more = ''): string =>
  `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n${load}\ntest('totals', () => assert.equal(total([1, 2]), ${expected}));\n${more}`;

/** What only the runner knows to be missing. */
const HIDDEN: { name: string; base: Files; change: Files }[] = [
  {
    name: 'a function that is no longer exported',
    base: {
      'src/total.js': `export const zero = 0;\n${TOTAL}`,
      'test/total.test.js': totals("import { total, zero } from '../src/total.js';\n", 3),
    },
    change: {
      'src/total.js': `const zero = 0;\n${BROKEN}export const none = () => zero;\n`,
      'test/total.test.js': totals("import { total } from '../src/total.js';\n", 4),
    },
  },
  {
    name: 'a name behind `export *`',
    base: {
      'src/index.js': "export * from './total.js';\nexport * from './old.js';\n",
      'src/total.js': TOTAL,
      'src/old.js': 'export const old = 1;\nexport const kept = 2;\n',
      'test/total.test.js': totals("import { old, total } from '../src/index.js';\n", 3),
    },
    change: {
      'src/total.js': BROKEN,
      'src/old.js': 'export const kept = 2;\n',
      'test/total.test.js': totals("import { total } from '../src/index.js';\n", 4),
    },
  },
  {
    name: 'a moved module under an alias',
    base: {
      'package.json': '{ "name": "calc", "type": "module", "imports": { "#src/*": "./src/*" } }\n',
      'src/total.js': TOTAL,
      'test/total.test.js': totals("import { total } from '#src/total.js';\n", 3),
    },
    change: {
      'src/total.js': null,
      'src/money/total.js': BROKEN,
      'test/total.test.js': totals("import { total } from '#src/money/total.js';\n", 4),
    },
  },
  {
    name: 'a module that is loaded for its effect',
    base: {
      'src/total.js': TOTAL,
      'src/effect.js': 'globalThis.effect = 1;\n',
      'test/total.test.js': totals(
        "import '../src/effect.js';\nimport { total } from '../src/total.js';\n",
        3,
      ),
    },
    change: {
      'src/total.js': BROKEN,
      'src/effect.js': null,
      'test/total.test.js': totals("import { total } from '../src/total.js';\n", 4),
    },
  },
  {
    name: 'a name that is also a property, and a word of the test’s name',
    base: {
      'src/total.js': `${TOTAL}export const totals = (a, b) => ({ totals: total([a, b]) });\nexport const sums = totals;\n`,
      'test/total.test.js': totals(
        "import { sums, total, totals } from '../src/total.js';\n",
        3,
        "test('has totals', () => assert.equal(sums(1, 2).totals, totals(1, 2).totals));\n",
      ),
    },
    change: {
      'src/total.js': `${BROKEN}export const sums = (a, b) => ({ ['tot' + 'als']: total([a, b]) });\n`,
      'test/total.test.js': totals(
        "import { sums, total } from '../src/total.js';\n",
        4,
        "test('has totals', () => assert.equal(sums(1, 2).totals, 4));\n",
      ),
    },
  },
  {
    name: 'a name that only another part of a helper needs',
    base: {
      'src/total.js': TOTAL,
      'src/old.js': 'export const old = 1;\n',
      'fixtures/items.js':
        "import { old } from '../src/old.js';\nexport const items = [1, 2];\nexport const makeOld = () => old;\n",
      'test/total.test.js': totals(
        "import { total } from '../src/total.js';\nimport { items } from '../fixtures/items.js';\n",
        3,
        "test('has items', () => assert.equal(items.length, 2));\n",
      ),
    },
    change: {
      'src/total.js': BROKEN,
      'src/old.js': null,
      'fixtures/items.js': 'export const items = [1, 2];\n',
      'test/total.test.js': totals(
        "import { total } from '../src/total.js';\nimport { items } from '../fixtures/items.js';\n",
        4,
        "test('has items', () => assert.equal(items.length, 2));\n",
      ),
    },
  },
  {
    name: 'a name that only another suite’s preparation needs',
    base: {
      'src/total.js': TOTAL,
      'src/old.js': 'export const old = () => 1;\n',
      'test/total.test.js': totals(
        "import { beforeEach, describe } from 'node:test';\nimport { total } from '../src/total.js';\nimport { old } from '../src/old.js';\n",
        3,
        "describe('old', () => {\n  let value = 0;\n  beforeEach(() => {\n    value = old();\n  });\n  test('is one', () => assert.equal(value, 1));\n});\n",
      ),
    },
    change: {
      'src/total.js': BROKEN,
      'src/old.js': null,
      'src/first.js': 'export const first = () => 1;\n',
      'test/total.test.js': totals(
        "import { beforeEach, describe } from 'node:test';\nimport { total } from '../src/total.js';\nimport { first } from '../src/first.js';\n",
        4,
        "describe('old', () => {\n  let value = 0;\n  beforeEach(() => {\n    value = first();\n  });\n  test('is one', () => assert.equal(value, 1));\n});\n",
      ),
    },
  },
];

describe('a test that is weakened while the runner no longer finds something that its file loads', () => {
  for (const { name, base, change } of HIDDEN)
    it(`is found: ${name}`, async () => {
      const project = new CheatBase({ ...UNMEASURED_PROJECT, ...base });
      try {
        const answer = await project
          .project()
          .write({ ...HONEST, ...change })
          .verify();
        expectStopped(answer, { gate, reason: /total\.test\.js > totals/ });
      } finally {
        project.cleanup();
      }
    });

  it('is not refused, if only its import changes', async () => {
    const [hidden] = HIDDEN.slice(2);
    const project = new CheatBase({ ...UNMEASURED_PROJECT, ...hidden?.base });
    try {
      const honest = {
        'src/money/total.js': TOTAL,
        'test/total.test.js': totals("import { total } from '#src/money/total.js';\n", 3),
      };
      const answer = await project
        .project()
        .write({ ...HONEST, ...hidden?.change, ...honest })
        .verify();
      expect(answer.gates.get(gate)).toMatchObject({ result: 'pass', warnings: [] });
    } finally {
      project.cleanup();
    }
  });
});

const PYTHON: Files = {
  'tasks/TASK-001.md': task().replace('task_type: feature', 'task_type: refactor'),
  '.guardkit/config/quality-gates.yaml':
    'quality_gate_configs:\n  - {task_type: feature, complexity_range: [4, 6], coverage_required: false}\n',
  '.guardkit/config.yaml': config('tests:\n  command: python3 -m unittest discover -s tests -t .\n'),
  '.gitignore': '__pycache__\n',
  'numbers_of/__init__.py': '',
  'numbers_of/new.py': 'def twice(number):\n    return 2 * number\n',
  'numbers_of/old.py': 'def old():\n    return 1\n\n\ndef older():\n    return 2\n',
  'tests/__init__.py': '',
};

describe.skipIf(whyMissing('python3', '--version') !== undefined)('the same in Python', () => {
  for (const load of [
    'import numbers_of.old\n',
    'from numbers_of import old\n',
    'from numbers_of.old import (\n    old,\n    older,  # of the first version\n)\n',
  ])
    it(`is found: ${load.split('\n')[0]}`, async () => {
      const text = (head: string, expected: number) =>
        `import unittest\n${head}from numbers_of.new import twice\n\n\nclass Numbers(unittest.TestCase):\n    def test_twice(self):\n        self.assertEqual(twice(3), ${expected})\n`;
      const base = new CheatBase({ ...PYTHON, 'tests/test_numbers.py': text(load, 6) });
      try {
        const answer = await base
          .project()
          .write({
            'numbers_of/old.py': null,
            'numbers_of/new.py': 'def twice(number):\n    return 2 * number + 1\n',
            'tests/test_numbers.py': text('', 7),
          })
          .verify();
        expectStopped(answer, { gate, reason: /test_twice/ });
      } finally {
        base.cleanup();
      }
    });

  it('is found: a name that only another class needs', async () => {
    const text = (name: string, expected: number) =>
      `import unittest\nfrom numbers_of.new import twice\nfrom numbers_of.old import ${name}\n\n\nclass Numbers(unittest.TestCase):\n    def test_twice(self):\n        self.assertEqual(twice(3), ${expected})\n\n\nclass Old(unittest.TestCase):\n    def setUp(self):\n        self.old = ${name}()\n\n    def test_one(self):\n        self.assertEqual(self.old, 1)\n`;
    const base = new CheatBase({ ...PYTHON, 'tests/test_numbers.py': text('old', 6) });
    try {
      const answer = await base
        .project()
        .write({
          'numbers_of/old.py': 'def first():\n    return 1\n\n\ndef older():\n    return 2\n',
          'numbers_of/new.py': 'def twice(number):\n    return 2 * number + 1\n',
          'tests/test_numbers.py': text('first', 7),
        })
        .verify();
      expectStopped(answer, { gate, reason: /1 altered test fails[^:]*: \S+ > Numbers > test_twice/ });
    } finally {
      base.cleanup();
    }
  });
});
