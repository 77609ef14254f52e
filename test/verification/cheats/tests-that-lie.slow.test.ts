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

it.concurrent('the honest change behind these cheats passes', async () => {
  const answer = await measured.project().write(HONEST).verify();
  expect(answer.exitCode, answer.stdout + answer.stderr).toBe(0);
});

/** Those for which a process per file matters. */
const IN_PROCESSES: Cheat[] = [
  {
    name: 'a new test does not count because its file imports what only the change has',
    files: {
      'src/add.js': 'export const ZERO = 0;\nexport function add(a, b) {\n  return a + b;\n}\n',
      'test/more.test.js':
        "import assert from 'node:assert/strict';\nimport test from 'node:test';\nimport { ZERO, add } from '../src/add.js';\n\ntest('adds three numbers', () => assert.equal(add(add(1, 1), 1), 3));\n",
    },
    gate: 'new-tests-bite',
    code: 'pass-without-change',
    reason: /adds three numbers$/,
  },
  {
    name: 'a failing new test does not pass',
    files: { ...HONEST, 'src/multiply.js': WRONG },
    gate: 'tests',
    code: 'tests-failed',
    reason: /\b1\b.*\b3\b.*: multiplies two numbers$/,
  },
  {
    name: 'exiting with 0 from a test does not hide a later failure',
    files: {
      ...HONEST,
      'src/add.js': BROKEN_ADD,
      'test/add.test.js': `${ADD_TEST.replace("test('adds two", "test('ends', () => process.exit(0));\n\ntest('adds two")}`,
    },
    gate: 'no-test-lost',
    reason: /adds two numbers/,
  },
  {
    name: 'exiting from the code under test does not hide later tests',
    files: { ...HONEST, 'src/add.js': 'export function add() {\n  process.reallyExit(0);\n}\n' },
    gate: 'no-test-lost',
    reason: /adds two numbers/,
  },
  {
    name: 'setting the exit code to 0 at exit does not hide a failure',
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
    name: 'a test that kills everything it can signal does not pass',
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
    name: 'a test that skips itself at run time is a lost test',
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
    name: 'a test marked todo is a lost test',
    files: {
      ...HONEST,
      'src/add.js': BROKEN_ADD,
      'test/add.test.js': ADD_TEST.replaceAll(', () => {', ', { todo: true }, () => {'),
    },
    gate: 'no-test-lost',
    reason: /adds (?:two|a)/,
  },
  {
    name: 'a test marked only removes the others',
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
    name: 'a test that compares a value with itself is a lost test',
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
    name: 'a custom `assert` that asserts nothing makes a lost test',
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
    name: 'a custom `test` function that runs nothing makes a lost test',
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
    name: 'a test file renamed so that the runner no longer finds it is a lost test',
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
    name: 'a test file moved to where the runner does not look is a lost test',
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
    name: 'an empty new test does not bite',
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
    name: 'a new todo test does not bite',
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
    name: 'a new test without assertions does not count',
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
    name: 'a test inside a source file is not a test of the change',
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
    name: 'a test that exists only together with the change is not a test of it',
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
    name: 'a test that imports the new module without calling it does not cover it',
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
