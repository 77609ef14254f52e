import { describe, it } from 'vitest';
import { rows } from '../../support/thorough.ts';
import { HONEST_CHANGE, testFile } from '../../support/verified-project.ts';
import {
  CALC,
  changedProject,
  config,
  expectPassed,
  type HonestChange,
  NODE_TESTS,
  passEach,
  task,
} from './honest-change.ts';

const LINE = "import test from 'node:test';\nimport assert from 'node:assert/strict';\n";

/** Most of it is never run. */
const LEGACY = `export function price(items) {
  const sum = items.reduce((total, { cost }) => total + cost, 0);
  return sum;
}

export function print(items) {
  const lines = [];
  for (const { name, cost } of items) {
    if (cost === 0) {
      lines.push(name);
    } else {
      lines.push(name + ': ' + cost);
    }
  }
  return lines.join('\\n');
}

export function discount(items, percent) {
  const factor = 1 - percent / 100;
  return items.map(({ name, cost }) => {
    const reduced = cost * factor;
    return { name, cost: reduced };
  });
}

export function sort(items) {
  const copy = [...items];
  copy.sort((a, b) => {
    if (a.cost < b.cost) return -1;
    if (a.cost > b.cost) return 1;
    return 0;
  });
  return copy;
}
`;

const CHANGES: HonestChange[] = [
  { name: 'a new module with its test', files: HONEST_CHANGE, says: { 'new-tests-bite': /\b1\b.*\b1\b/ } },
  {
    name: 'a refactoring that renames a function and its tests',
    base: { 'tasks/TASK-001.md': task('refactor') },
    files: {
      'src/add.js': 'export const sum = (...numbers) => numbers.reduce((a, b) => a + b, 0);\n',
      'test/add.test.js': `${LINE}import { sum } from '../src/add.js';\n\ntest('sums', () => assert.equal(sum(1, 2), 3));\n`,
    },
    warns: { 'no-test-lost': /sums/ },
  },
  {
    name: 'a file that moves with its test',
    base: { 'tasks/TASK-001.md': task('refactor') },
    files: {
      'src/add.js': null,
      'test/add.test.js': null,
      'src/math/add.js': CALC['src/add.js'] ?? '',
      'test/math/add.test.js': (CALC['test/add.test.js'] ?? '').replace('../src/', '../../src/math/'),
    },
    warns: { 'no-test-lost': /test\/add\.test\.js/ },
  },
  {
    name: 'a test file that is renamed with its test, which changes a little',
    base: {
      'tasks/TASK-001.md': task('refactor'),
      'test/add.test.js': `${LINE}import { add } from '../src/add.js';\n\ntest('adds', () => {\n  const sum = add(1, 2);\n  assert.equal(sum, 3);\n  assert.equal(add(sum, 1), 4);\n});\n`,
    },
    files: {
      'test/add.test.js': null,
      'test/sums.test.js': `${LINE}import { add } from '../src/add.js';\n\ntest('sums up', () => {\n  const sum = add(1, 2);\n  assert.equal(sum, 3);\n  assert.equal(add(sum, 2), 5);\n});\n`,
    },
    warns: { 'no-test-lost': /sums up/ },
  },
  {
    name: 'a test file split in two, its tests now in suites',
    base: {
      'tasks/TASK-001.md': task('refactor'),
      'test/add.test.js': `${LINE}import { add } from '../src/add.js';\n\ntest('adds', () => assert.equal(add(1, 2), 3));\ntest('adds nothing', () => assert.equal(add(1, 0), 1));\n`,
    },
    files: {
      'test/add.test.js': `import { describe, it } from 'node:test';\nimport assert from 'node:assert/strict';\nimport { add } from '../src/add.js';\n\ndescribe('add', () => {\n  it('adds', () => assert.equal(add(1, 2), 3));\n});\n`,
      'test/add-nothing.test.js': `import { describe, it } from 'node:test';\nimport assert from 'node:assert/strict';\nimport { add } from '../src/add.js';\n\ndescribe('add', () => {\n  it('adds nothing', () => assert.equal(add(1, 0), 1));\n});\n`,
    },
  },
  {
    name: 'a bug fix with a test that shows the bug',
    base: {
      'tasks/TASK-001.md': task('bugfix'),
      'src/add.js': 'export const add = (a, b) => a + (b || 1);\n',
    },
    files: {
      'src/add.js': 'export const add = (a, b) => a + b;\n',
      'test/add.test.js': `${CALC['test/add.test.js']}test('adds nothing', () => assert.equal(add(1, 0), 1));\n`,
    },
    says: { 'new-tests-bite': /\b1\b.*\b1\b/ },
  },
  {
    name: 'a bug fix that corrects an expectation, as its task declares',
    base: {
      'tasks/TASK-001.md': task('bugfix', 'changes_tests: [adds]\n'),
      'src/add.js': 'export const add = (a, b) => a - b;\n',
      'test/add.test.js': testFile('adds', 'add', 'add(1, 2)', '-1'),
    },
    files: {
      'src/add.js': CALC['src/add.js'] ?? '',
      'test/add.test.js': testFile('adds', 'add', 'add(1, 2)', '3'),
    },
  },
  {
    name: 'documentation alone',
    base: { 'tasks/TASK-001.md': task('documentation') },
    files: { 'README.md': '# Calc\n\nAdds.\n', 'docs/guide.md': '# Guide\n' },
  },
  {
    name: 'scaffolding: a package, settings and folders',
    base: { 'tasks/TASK-001.md': task('scaffolding') },
    files: {
      'packages/web/package.json': '{"name":"web","private":true,"scripts":{"test":"node --test"}}\n',
      'packages/web/src/.gitkeep': '',
      'tsconfig.json': '{"compilerOptions":{"strict":true}}\n',
      '.editorconfig': 'root = true\n',
      '.github/workflows/ci.yml': 'on: push\njobs: {}\n',
      Dockerfile: 'FROM scratch\n',
    },
  },
  {
    name: 'scaffolding of an empty project without a command',
    base: {
      'package.json': null,
      'src/add.js': null,
      'test/add.test.js': null,
      '.guardkit/config.yaml': 'project: honest-1234\n',
      'README.md': '# Calc\n',
      'tasks/TASK-001.md': task('scaffolding'),
    },
    files: {
      'package.json': CALC['package.json'] ?? '',
      '.gitignore': 'node_modules/\n',
      'src/add.js': CALC['src/add.js'] ?? '',
      'test/add.test.js': CALC['test/add.test.js'] ?? '',
    },
  },
  {
    name: 'a covered line in a mostly uncovered legacy project',
    base: {
      'tasks/TASK-001.md': task('bugfix'),
      'src/shop.js': LEGACY,
      'test/shop.test.js': `${LINE}import { price } from '../src/shop.js';\n\ntest('sums up', () => assert.equal(price([{ cost: 2 }]), 2));\n`,
      '.guardkit/config.yaml': config(NODE_TESTS),
    },
    files: {
      'src/shop.js': LEGACY.replace('total + cost', 'total + (cost ?? 0)'),
      'test/shop.test.js': `${LINE}import { price } from '../src/shop.js';\n\ntest('sums up', () => assert.equal(price([{ cost: 2 }]), 2));\ntest('takes what has no price as free', () => assert.equal(price([{}]), 0));\n`,
    },
    says: { coverage: /100\.0%.*\b3\d\.\d%/ },
  },
  {
    name: 'a feature with the project’s first tests',
    base: { 'test/add.test.js': null },
    files: HONEST_CHANGE,
    says: { 'new-tests-bite': /\b1\b.*\b1\b/ },
  },
  {
    name: 'tests that become rows of a table with computed names',
    base: {
      'tasks/TASK-001.md': task('testing'),
      'test/add.test.js': `${LINE}import { add } from '../src/add.js';\n\ntest('adds 1 and 2', () => assert.equal(add(1, 2), 3));\ntest('adds 2 and 2', () => assert.equal(add(2, 2), 4));\n`,
    },
    files: {
      'test/add.test.js': `${LINE}import { add } from '../src/add.js';\n\nfor (const [a, b, sum] of [[1, 2, 3], [2, 2, 4], [3, 4, 7]]) {\n  test(\`\${a} + \${b} = \${sum}\`, () => assert.equal(add(a, b), sum));\n}\n`,
    },
  },
  {
    name: 'code removed with its tests, as the task declares',
    base: { 'tasks/TASK-001.md': task('refactor', 'removes_tests: [test/sub.test.js]\n'), ...HONEST_CHANGE },
    files: { 'src/sub.js': null, 'test/sub.test.js': null },
  },
  {
    name: 'new tests of which some would pass on the base',
    files: {
      ...HONEST_CHANGE,
      'test/more.test.js': `${LINE}import { add } from '../src/add.js';\n\ntest('adds negative numbers', () => assert.equal(add(-1, -2), -3));\n`,
    },
    warns: { 'new-tests-bite': /adds negative numbers/ },
  },
  {
    name: 'types, comments and blank lines, which never run',
    base: { 'tasks/TASK-001.md': task('refactor') },
    files: {
      'src/add.js': '/** Adds. */\n\nexport const add = (a, b) => a + b;\n',
      'src/number.ts':
        'export interface Amount {\n  value: number;\n}\n\nexport type Amounts = readonly Amount[];\n',
      'src/add.d.ts': 'export declare const add: (a: number, b: number) => number;\n',
      'src/page.css': 'body { margin: 0; }\n',
    },
  },
  {
    name: 'removal of unused code without additions',
    base: {
      'tasks/TASK-001.md': task('refactor'),
      'src/add.js': 'export const add = (a, b) => a + b;\n\nexport const unused = () => 1;\n',
    },
    files: { 'src/add.js': 'export const add = (a, b) => a + b;\n' },
  },
  {
    name: 'a test’s helpers and data that change with the feature',
    base: {
      'test/support/cases.js': 'export const cases = [[1, 2, 3]];\n',
      'test/add.test.js': `${LINE}import { add } from '../src/add.js';\nimport { cases } from './support/cases.js';\n\ntest('adds', () => {\n  for (const [a, b, sum] of cases) assert.equal(add(a, b), sum);\n});\n`,
    },
    files: {
      'src/add.js': 'export const add = (...numbers) => numbers.reduce((a, b) => a + b, 0);\n',
      'test/support/cases.js': 'export const cases = [[[1, 2], 3], [[1, 2, 3], 6]];\n',
      'test/fixtures/numbers.json': '[1, 2, 3]\n',
      'test/add.test.js': `${LINE}import { readFileSync } from 'node:fs';\nimport { add } from '../src/add.js';\nimport { cases } from './support/cases.js';\n\ntest('adds', () => {\n  for (const [numbers, sum] of cases) assert.equal(add(...numbers), sum);\n});\n\ntest('adds what a file holds', () => {\n  const numbers = JSON.parse(readFileSync(new URL('./fixtures/numbers.json', import.meta.url)));\n  assert.equal(add(...numbers), 6);\n});\n`,
    },
  },
  {
    name: 'tests that now assert through their own function',
    base: {
      'tasks/TASK-001.md': task('refactor'),
      'test/add.test.js': `${LINE}import { add } from '../src/add.js';\n\ntest('adds', () => assert.equal(add(1, 2), 3));\ntest('adds nothing', () => assert.equal(add(1, 0), 1));\n`,
    },
    files: {
      'test/add.test.js': `${LINE}import { add } from '../src/add.js';\n\nfunction expectSum(a, b, sum) {\n  assert.equal(add(a, b), sum);\n  assert.equal(add(b, a), sum);\n}\n\ntest('adds', () => expectSum(1, 2, 3));\ntest('adds nothing', () => {\n  expectSum(1, 0, 1);\n});\n`,
    },
  },
  {
    name: 'tests whose assertions move into a shared file',
    base: { 'tasks/TASK-001.md': task('refactor') },
    files: {
      'test/support/sums.js': `import assert from 'node:assert/strict';\nimport { add } from '../../src/add.js';\n\nexport function checkSum(a, b, sum) {\n  assert.equal(add(a, b), sum);\n}\n`,
      'test/add.test.js': `import test from 'node:test';\nimport { checkSum } from './support/sums.js';\n\ntest('adds', () => checkSum(1, 2, 3));\n`,
    },
  },
  {
    name: 'tests next to the code, and one that is a todo',
    base: {
      'test/add.test.js': null,
      'src/add.test.js': testFile('adds', 'add', 'add(1, 2)', '3').replace('../src/', './'),
    },
    files: {
      'src/sub.js': HONEST_CHANGE['src/sub.js'] ?? '',
      'src/sub.test.js': `${(HONEST_CHANGE['test/sub.test.js'] ?? '').replace('../src/', './')}test.todo('subtracts fractions');\n`,
    },
  },
  {
    name: 'tests that become asynchronous with the code, as the task declares',
    base: { 'tasks/TASK-001.md': task('feature', 'changes_tests: [adds]\n') },
    files: {
      'src/add.js':
        "export const add = async (a, b) => {\n  if (typeof b !== 'number') throw new TypeError('no number');\n  return a + b;\n};\n",
      'test/add.test.js': `${LINE}import { add } from '../src/add.js';\n\ntest('adds', async (t) => {\n  await t.test('numbers', async () => assert.equal(await add(1, 2), 3));\n  await t.test('nothing else', () => assert.rejects(add(1, 'a'), TypeError));\n});\n`,
    },
  },
  {
    name: 'a test skipped on some systems, next to one that is not',
    files: {
      ...HONEST_CHANGE,
      'test/sub.test.js': `${HONEST_CHANGE['test/sub.test.js']}test('subtracts on another system', { skip: process.platform !== 'sunos' }, () => assert.equal(sub(1, 1), 0));\n`,
    },
    warns: { tests: /\b1\b/ },
  },
];

const CART = 'export class Cart {\n  items = [];\n  add(item) {\n    return this.items.push(item);\n  }\n}\n';
const CART_TEST = `${LINE}import { Cart } from '../src/cart.js';\n\ntest('adds', () => assert.equal(new Cart().add('tea'), 1));\n`;

it('a renamed method passes again when the same files are verified again', { timeout: 180_000 }, async ({
  onTestFinished,
}) => {
  const project = changedProject({
    name: 'a renamed method',
    base: {
      'tasks/TASK-001.md': task('refactor'),
      'src/cart.js': CART,
      'test/cart.test.js': CART_TEST,
    },
    files: {
      'src/cart.js': CART.replace('add', 'put'),
      'test/cart.test.js': CART_TEST.replace('.add', '.put'),
    },
  });
  onTestFinished(() => project.cleanup());
  const listed = { says: { 'no-test-weakened': /\b1 cannot be compared/ } };
  await expectPassed(project, listed);
  await expectPassed(project, listed);
});

describe.concurrent('an everyday change passes:', () => passEach(rows(1, CHANGES)));
