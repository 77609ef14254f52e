import { afterAll, describe, expect, it } from 'vitest';
import {
  CheatBase,
  HONEST,
  MULTIPLY,
  MULTIPLY_TEST,
  NODE_PROJECT,
  QUICK_PROJECT,
  UNMEASURED_PROJECT,
} from './cheat-project.ts';
import { type Cheat, tryEach } from './expect-stopped.ts';

const base = new CheatBase(QUICK_PROJECT);
const inProcesses = new CheatBase(UNMEASURED_PROJECT);
const measured = new CheatBase(NODE_PROJECT);
afterAll(() => {
  for (const one of [base, inProcesses, measured]) one.cleanup();
});

const ADD_TEST = NODE_PROJECT['test/add.test.js'] ?? '';
const WRONG = 'export function multiply(a, b) {\n  return a + b;\n}\n';
const BROKEN_ADD = 'export function add(a, b) {\n  return a - b;\n}\n';

it.concurrent('the honest change that these cheats are made from passes', async () => {
  const answer = await measured.project().write(HONEST).verify();
  expect(answer.exitCode, answer.stdout + answer.stderr).toBe(0);
});

/** Those that a process for each file makes a difference to. */
const IN_PROCESSES: Cheat[] = [
  {
    name: 'a new test that fails does not pass',
    files: { ...HONEST, 'src/multiply.js': WRONG },
    gate: 'tests',
    code: 'tests-failed',
    reason: /\b1\b.*\b3\b.*: multiplies two numbers$/,
  },
  {
    name: 'ending the test process with exit 0 does not hide a failure after it',
    files: {
      ...HONEST,
      'src/add.js': BROKEN_ADD,
      'test/add.test.js': `${ADD_TEST.replace("test('adds two", "test('ends', () => process.exit(0));\n\ntest('adds two")}`,
    },
    gate: 'no-test-lost',
    reason: /adds two numbers/,
  },
  {
    name: 'ending the process from the code under test does not hide the tests after it',
    files: { ...HONEST, 'src/add.js': 'export function add() {\n  process.reallyExit(0);\n}\n' },
    gate: 'no-test-lost',
    reason: /adds two numbers/,
  },
  {
    name: 'setting the exit code to 0 when the process ends does not hide a failure',
    files: {
      ...HONEST,
      'src/multiply.js': WRONG,
      'test/multiply.test.js': `process.on('exit', () => {\n  process.exitCode = 0;\n});\n${MULTIPLY_TEST}`,
    },
    gate: 'tests',
    reason: /multiplies two numbers/,
  },
  {
    name: 'a handler for uncaught errors does not hide a failure',
    files: {
      ...HONEST,
      'src/multiply.js': WRONG,
      'test/multiply.test.js': `process.on('uncaughtException', () => {});\nprocess.on('unhandledRejection', () => {});\n${MULTIPLY_TEST}`,
    },
    gate: 'tests',
    reason: /multiplies two numbers/,
  },
  {
    name: 'a test that kills the runner does not pass',
    files: {
      ...HONEST,
      'test/multiply.test.js': `${MULTIPLY_TEST}\ntest('kills', () => process.kill(process.ppid, 'SIGKILL'));\n`,
    },
    gate: 'tests',
    code: ['command-failed', 'report-fault'],
  },
  {
    name: 'a test that ends everything it can signal does not pass',
    files: {
      ...HONEST,
      'test/multiply.test.js': `${MULTIPLY_TEST}\ntest('kills', () => {\n  for (let pid = 2; pid < 60; pid++) if (pid !== process.pid) try { process.kill(pid, 'SIGTERM'); } catch {}\n});\n`,
    },
    gate: 'tests',
    code: ['command-failed', 'report-fault'],
  },
];

const CHEATS: Cheat[] = [
  {
    name: 'a catch around every assertion of an existing test is a lost test',
    files: {
      ...HONEST,
      'src/add.js': BROKEN_ADD,
      'test/add.test.js': ADD_TEST.replace(
        / {2}assert\.equal\((.*)\);/g,
        '  try {\n    assert.equal($1);\n  } catch {}',
      ),
    },
    gate: 'no-test-lost',
    code: 'emptied',
  },
  {
    name: 'a skipped test is a lost test',
    files: {
      ...HONEST,
      'src/add.js': BROKEN_ADD,
      'test/add.test.js': ADD_TEST.replaceAll("test('adds", "test.skip('adds"),
    },
    gate: 'no-test-lost',
    reason: /adds (?:two|a)/,
  },
  {
    name: 'a test that skips itself while it runs is a lost test',
    files: {
      ...HONEST,
      'src/add.js': BROKEN_ADD,
      'test/add.test.js': ADD_TEST.replaceAll(
        '() => {',
        "(t) => {\n  if (add.length === 2) return t['sk' + 'ip']();",
      ),
    },
    gate: 'no-test-lost',
    code: 'skipped',
  },
  {
    name: 'a test that is marked as one to do is a lost test',
    files: {
      ...HONEST,
      'src/add.js': BROKEN_ADD,
      'test/add.test.js': ADD_TEST.replaceAll(', () => {', ', { todo: true }, () => {'),
    },
    gate: 'no-test-lost',
    reason: /adds (?:two|a)/,
  },
  {
    name: 'a test that is marked as the only one takes the others away',
    files: { ...HONEST, 'test/multiply.test.js': MULTIPLY_TEST.replace("test('mult", "test.only('mult") },
    gate: 'no-test-lost',
    code: 'only',
  },
  {
    name: 'a test that is commented out is a lost test',
    files: {
      ...HONEST,
      'src/add.js': BROKEN_ADD,
      'test/add.test.js': ADD_TEST.replace("test('adds two", "/*\ntest('adds two").replace(
        '5);\n});',
        '5);\n});\n*/',
      ),
    },
    gate: 'no-test-lost',
    reason: /adds two numbers/,
  },
  {
    name: 'an emptied test is a lost test',
    files: {
      ...HONEST,
      'src/add.js': BROKEN_ADD,
      'test/add.test.js': ADD_TEST.replace(/ {2}assert\..*\n/g, ''),
    },
    gate: 'no-test-lost',
    code: 'emptied',
  },
  {
    name: 'a test that compares a thing with itself instead of its expectation is a lost test',
    files: {
      ...HONEST,
      'src/add.js': BROKEN_ADD,
      'test/add.test.js': ADD_TEST.replace(/assert\.equal\(.*\)/g, 'assert.equal(1, 1)'),
    },
    gate: 'no-test-lost',
    code: 'emptied',
  },
  {
    name: 'a test that returns before its assertion is a lost test',
    files: {
      ...HONEST,
      'src/add.js': BROKEN_ADD,
      'test/add.test.js': ADD_TEST.replace(/ {2}assert/g, '  return;\n  assert'),
    },
    gate: 'no-test-lost',
    code: 'emptied',
  },
  {
    name: 'an import of assertions that assert nothing is a lost test',
    files: {
      ...HONEST,
      'src/add.js': BROKEN_ADD,
      'test/add.test.js': ADD_TEST.replace("'node:assert/strict'", "'./quiet.js'"),
      'test/quiet.js': 'export default { equal() {} };\n',
    },
    gate: 'no-test-lost',
    code: ['emptied', 'replaced'],
  },
  {
    name: 'an `assert` of its own that asserts nothing makes a test a lost one',
    files: {
      ...HONEST,
      'src/add.js': BROKEN_ADD,
      'test/add.test.js': ADD_TEST.replace(
        "import assert from 'node:assert/strict';",
        'const assert = { equal() {} };',
      ),
    },
    gate: 'no-test-lost',
    code: ['emptied', 'replaced'],
  },
  {
    name: 'a function in place of the test’s own `test` that runs nothing is a lost test',
    files: {
      ...HONEST,
      'src/add.js': BROKEN_ADD,
      'test/add.test.js': ADD_TEST.replace(
        "import { test } from 'node:test';",
        "import { test as run } from 'node:test';\nconst test = (name) => run(name, () => {});",
      ),
    },
    gate: 'no-test-lost',
    reason: /./,
  },
  {
    name: 'a deleted test file is a lost test',
    files: { ...HONEST, 'src/add.js': BROKEN_ADD, 'test/add.test.js': null },
    gate: 'no-test-lost',
    code: 'file-deleted',
    reason: /add\.test\.js/,
  },
  {
    name: 'a test file that is emptied is a lost test',
    files: { ...HONEST, 'src/add.js': BROKEN_ADD, 'test/add.test.js': '' },
    gate: 'no-test-lost',
    reason: /adds two numbers/,
  },
  {
    name: 'a test file that the runner no longer finds by its new name is a lost test',
    files: {
      ...HONEST,
      'src/add.js': BROKEN_ADD,
      'test/add.test.js': null,
      'docs/add.test.js.txt': ADD_TEST,
    },
    gate: 'no-test-lost',
    code: 'file-deleted',
    reason: /add\.test\.js/,
  },
  {
    name: 'a test file that is moved to where the runner does not look is a lost test',
    files: {
      ...HONEST,
      'src/add.js': BROKEN_ADD,
      'test/add.test.js': null,
      'node_modules/.kept/add.test.js': ADD_TEST.replace('../src', '../../src'),
    },
    gate: 'no-test-lost',
    reason: /add\.test\.js/,
  },
  {
    name: 'a new test that is empty does not bite',
    files: {
      ...HONEST,
      'test/multiply.test.js':
        "import { test } from 'node:test';\n\ntest('multiplies two numbers', () => {});\n",
    },
    gate: 'new-tests-bite',
    code: 'pass-without-change',
  },
  {
    name: 'a new test of constants does not bite',
    files: {
      ...HONEST,
      'test/multiply.test.js':
        "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n\ntest('multiplies two numbers', () => {\n  assert.equal(2 * 3, 6);\n});\n",
    },
    gate: 'new-tests-bite',
    code: 'pass-without-change',
  },
  {
    name: 'a new test that is only to do does not bite',
    files: {
      ...HONEST,
      'test/multiply.test.js': "import { test } from 'node:test';\n\ntest.todo('multiplies two numbers');\n",
    },
    gate: 'new-tests-bite',
    code: 'none-new',
  },
  {
    name: 'a change without a test does not pass',
    files: { 'src/multiply.js': MULTIPLY },
    gate: 'new-tests-bite',
    code: 'none-new',
  },
  {
    name: 'a new test that asserts nothing of what it calls does not count',
    files: {
      ...HONEST,
      'src/multiply.js': WRONG,
      'test/multiply.test.js':
        "import { test } from 'node:test';\nimport { multiply } from '../src/multiply.js';\n\ntest('multiplies two numbers', () => {\n  multiply(2, 3);\n});\n",
    },
    gate: 'new-tests-bite',
    code: 'assert-nothing',
  },
  {
    name: 'a test that stands in a source file is no test of the change',
    files: {
      'src/multiply.js': `import { test } from 'node:test';\n\n${WRONG}\ntest('multiplies two numbers', () => {\n  multiply(2, 3);\n});\n`,
      'src/add.js': `import './multiply.js';\n\n${NODE_PROJECT['src/add.js']}`,
      'test/notes.txt': 'changed',
    },
    gate: 'new-tests-bite',
    result: 'absent',
    code: 'not-tried',
  },
  {
    name: 'a test that is only there together with the change is no test of it',
    files: {
      'src/multiply.js': WRONG,
      'test/multiply.test.js': `import { existsSync } from 'node:fs';
import { test } from 'node:test';

const path = new URL('../src/multiply.js', import.meta.url);
if (existsSync(path)) {
  const { multiply } = await import(path);
  test('multiplies two numbers', () => {
    multiply(2, 3);
  });
}
`,
    },
    gate: 'new-tests-bite',
    result: 'absent',
    code: 'not-tried',
  },
];

const UNCOVERED: Cheat[] = [
  {
    name: 'a test that imports the new module and calls nothing of it does not cover it',
    files: {
      ...HONEST,
      'test/multiply.test.js':
        "import { test } from 'node:test';\nimport '../src/multiply.js';\n\ntest('multiplies two numbers', () => {});\n",
      'src/multiply.js':
        'export function multiply(a, b) {\n  let sum = 0;\n  for (let i = 0; i < b; i++) {\n    sum += a;\n  }\n  return sum;\n}\n',
    },
    gate: 'coverage',
    code: 'below-threshold',
  },
];

describe.concurrent('tests that lie', () => {
  tryEach(base, CHEATS);
  tryEach(inProcesses, IN_PROCESSES);
  tryEach(measured, UNCOVERED);
});
