import { describe } from 'vitest';
import { HONEST_CHANGE } from '../../support/verified-project.ts';
import { CALC, type Files, type HonestChange, passEach, task } from './honest-change.ts';

const HEAD = "import test from 'node:test';\nimport assert from 'node:assert/strict';\n";
const TESTS = `${HEAD}import { add } from '../src/add.js';
import { close } from './support/close.js';

const CASES = [[1, 2, 3], [2, 2, 4]];

test('adds two numbers', () => {
  assert.equal(add(1, 2), 3);
  assert.equal(add(2, 2), 4);
});

for (const [a, b, sum] of CASES) test(\`adds \${a} and \${b}\`, () => assert.equal(add(a, b), sum));

test('adds fractions', () => close(add(0.1, 0.2), 0.3));
`;
const CLOSE =
  "import assert from 'node:assert/strict';\nexport const close = (a, b) => assert.ok(Math.abs(a - b) < 1e-9);\n";

const BASE: Files = { 'test/add.test.js': TESTS, 'test/support/close.js': CLOSE };
const refactored: Files = { ...BASE, 'tasks/TASK-001.md': task('refactor') };
const weakened = 'no-test-weakened';

const LIST =
  'export const PAIRS = [[1, 2, 3]];\nexport const add = (a, b) => a + b;\nexport const multiply = (a, b) => a * b;\n';
const MADE_FROM_LIST = `${HEAD}import { PAIRS, add } from '../src/add.js';
for (const [a, b, sum] of PAIRS) test(\`adds \${a} and \${b}\`, () => assert.equal(add(a, b), sum));
test('adds two numbers', () => assert.equal(add(1, 2), 3));
`;

const LISTED = (path: string) =>
  `${HEAD}import { readFileSync } from 'node:fs';\nimport { add } from '../src/add.js';\ntest('adds a list', () => {\n  const [a, b] = JSON.parse(readFileSync(new URL('${path}', import.meta.url)));\n  assert.equal(add(a, b), 3);\n});\n`;

const TIMED = `${HEAD}import { add } from '../src/add.js';
const start = performance.now();
for (const one of [1, 2]) test(\`adds in \${1 + performance.now() - start} ms\`, () => assert.equal(add(one, 1), one + 1));
`;

const COMMON = {
  head: `${HEAD}import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);\n`,
  sum: 'exports.sum = (...all) => all.reduce((a, b) => a + b, 0);\n',
  zero: 'exports.zero = 0;\n',
  tests: "test('sums', () => assert.equal(sum(1, 2), 3));\ntest('zero', () => assert.equal(zero, 0));\n",
};

const CHANGES: HonestChange[] = [
  {
    name: 'a function of CommonJS that moves to another file',
    base: {
      ...refactored,
      'src/sums.cjs': COMMON.sum + COMMON.zero,
      'test/sums.test.js': `${COMMON.head}const { sum, zero } = require('../src/sums.cjs');\n${COMMON.tests}`,
    },
    files: {
      'src/sums.cjs': COMMON.zero,
      'src/all.cjs': COMMON.sum,
      'test/sums.test.js': `${COMMON.head}const { zero } = require('../src/sums.cjs');\nconst { sum } = require('../src/all.cjs');\n${COMMON.tests}`,
    },
    says: { [weakened]: /\b2 of 2\b/ },
  },
  {
    name: 'a function that tests reach through its module moves to another file',
    base: {
      ...refactored,
      'src/sums.cjs': COMMON.sum + COMMON.zero,
      'test/sums.test.js': `${COMMON.head}const sums = require('../src/sums.cjs');\ntest('sums', () => assert.equal(sums.sum(1, 2), 3));\n`,
    },
    files: {
      'src/sums.cjs': COMMON.zero,
      'src/all.cjs': COMMON.sum,
      'test/sums.test.js': `${COMMON.head}const all = require('../src/all.cjs');\ntest('sums', () => assert.equal(all.sum(1, 2), 3));\n`,
    },
    says: { [weakened]: /\b1 cannot be compared/ },
  },
  {
    name: 'a renamed list that tests are made from',
    base: { ...refactored, 'src/add.js': LIST, 'test/add.test.js': MADE_FROM_LIST },
    files: {
      'src/add.js': LIST.replace('PAIRS', 'SUMS'),
      'test/add.test.js': MADE_FROM_LIST.replaceAll('PAIRS', 'SUMS'),
    },
  },
  {
    name: 'assertions that move into a helper of any name',
    base: refactored,
    files: {
      'test/support/sums.js':
        "import assert from 'node:assert/strict';\nexport const runCase = (call, sum) => assert.equal(call(), sum);\n",
      'test/add.test.js': TESTS.replace(HEAD, `${HEAD}import { runCase } from './support/sums.js';\n`)
        .replace('assert.equal(add(1, 2), 3);', 'runCase(() => add(1, 2), 3);')
        .replace('assert.equal(add(2, 2), 4);', 'runCase(() => add(2, 2), 4);'),
    },
  },
  {
    name: 'a fixture that moves to another folder, under another name',
    base: {
      ...refactored,
      'test/fixtures/numbers.json': '[1, 2]\n',
      'test/list.test.js': LISTED('./fixtures/numbers.json'),
    },
    files: {
      'test/fixtures/numbers.json': null,
      'test/data/two-numbers.json': '[1, 2]\n',
      'test/list.test.js': LISTED('./data/two-numbers.json'),
    },
  },
  {
    name: 'a new test beside one whose name has a measured time',
    base: { ...refactored, 'test/timed.test.js': TIMED },
    files: { 'test/timed.test.js': `${TIMED}test('adds more', () => assert.equal(add(2, 3), 5));\n` },
    says: { [weakened]: /\b2 of 2\b/ },
  },
  {
    name: 'a test with a better name',
    base: refactored,
    files: { 'test/add.test.js': TESTS.replace('adds two numbers', 'gives the sum of two numbers') },
    says: { [weakened]: /\b5\b.*\b5\b|\b4\b.*\b4\b/ },
  },
  {
    name: 'one more assertion in a test',
    base: BASE,
    files: {
      ...HONEST_CHANGE,
      'test/add.test.js': TESTS.replace(
        'add(2, 2), 4);\n',
        'add(2, 2), 4);\n  assert.equal(add(3, 2), 5);\n',
      ),
    },
  },
  {
    name: 'a helper that is rewritten',
    base: refactored,
    files: {
      'test/support/close.js':
        "import assert from 'node:assert/strict';\nexport function close(actual, expected, tolerance = 1e-9) {\n  assert.ok(Math.abs(actual - expected) < tolerance, `${actual} is not ${expected}`);\n}\n",
    },
  },
  {
    name: 'a helper that moves',
    base: refactored,
    files: {
      'test/support/close.js': null,
      'test/numbers/close.js': CLOSE,
      'test/add.test.js': TESTS.replace('./support/close', './numbers/close'),
    },
  },
  {
    name: 'tests that are only reformatted',
    base: refactored,
    files: {
      'test/add.test.js': TESTS.replace(
        'const CASES = [[1, 2, 3], [2, 2, 4]];',
        'const CASES = [\n  [1, 2, 3],\n  [2, 2, 4],\n];',
      ).replaceAll("'", '"'),
    },
  },
  {
    name: 'a new case in a table, with a new module',
    base: BASE,
    files: { ...HONEST_CHANGE, 'test/add.test.js': TESTS.replace('[2, 2, 4]]', '[2, 2, 4], [5, 5, 10]]') },
  },
  {
    name: 'code that moves, while its test and helper stay',
    base: refactored,
    files: {
      'src/add.js': null,
      'src/numbers/add.js': CALC['src/add.js'] ?? '',
      'test/add.test.js': TESTS.replace('../src/add', '../src/numbers/add'),
    },
  },
  {
    name: 'a test file that moves',
    base: refactored,
    files: {
      'test/add.test.js': null,
      'test/numbers/add.test.js': TESTS.replace('../src/', '../../src/').replace('./support', '../support'),
    },
  },
  {
    name: 'a function that is renamed, with the tests that use it',
    base: refactored,
    files: {
      'src/add.js': 'export const total = (a, b) => a + b;\n',
      'test/add.test.js': TESTS.replace('import { add }', 'import { total }').replaceAll('add(', 'total('),
    },
    warns: { [weakened]: /\badds two numbers\b/ },
  },
  {
    name: 'a function that is renamed, with tests that use it through its module',
    base: {
      ...refactored,
      'test/add.test.js': TESTS.replace('import { add }', 'import * as calc').replaceAll('add(', 'calc.add('),
    },
    files: {
      'src/add.js': 'export const total = (a, b) => a + b;\n',
      'test/add.test.js': TESTS.replace('import { add }', 'import * as calc').replaceAll(
        'add(',
        'calc.total(',
      ),
    },
    warns: { [weakened]: /\badds two numbers\b/ },
  },
  {
    name: 'two assertions merged into one on a list',
    base: refactored,
    files: {
      'test/add.test.js': TESTS.replace(
        '  assert.equal(add(1, 2), 3);\n  assert.equal(add(2, 2), 4);\n',
        '  assert.deepEqual([add(1, 2), add(2, 2)], [3, 4]);\n',
      ),
    },
  },
  {
    name: 'expectations that change as declared in the task on the base',
    base: {
      ...BASE,
      'tasks/TASK-001.md': task('bugfix', 'changes_tests: ["adds *"]\n'),
      'src/add.js': 'export const add = (a, b) => a + b + 1;\n',
      'test/add.test.js': `${HEAD}import { add } from '../src/add.js';\n\ntest('adds two numbers', () => assert.equal(add(1, 2), 4));\n`,
    },
    files: {
      'src/add.js': CALC['src/add.js'] ?? '',
      'test/add.test.js': `${HEAD}import { add } from '../src/add.js';\n\ntest('adds two numbers', () => assert.equal(add(1, 2), 3));\n`,
    },
    warns: { [weakened]: /\badds two numbers\b/ },
  },
  {
    name: 'new tests only, next to the old ones',
    base: BASE,
    files: HONEST_CHANGE,
  },
];

describe.concurrent('honest changes of tests', () => passEach(CHANGES));
