import { describe, expect, it } from 'vitest';
import { testsThatMayFail } from '../../../src/verification/test-files/may-fail.ts';
import { readTestCases } from '../../../src/verification/test-files/read-test-cases.ts';

function judge(path: string, text: string, helpers: Readonly<Record<string, string>> = {}): boolean {
  const [test] = readTestCases(path, text).cases;
  if (test === undefined) throw new Error('there is no test');
  const others = Object.entries(helpers).map(([file, content]) => ({ path: file, text: content }));
  return testsThatMayFail({ path, text }, others)(test);
}

const JS = (load: string, call: string) =>
  `import { test } from 'node:test';\n${load}\n\ntest('adds', async () => {\n  ${call};\n});\n`;
const ASSERT = "import assert from 'node:assert/strict';\n";

describe('a test without an assertion of its own can fail', () => {
  it.each<[string, string, string, Record<string, string>]>([
    [
      'through an imported helper that asserts',
      'test/add.test.js',
      JS("import { runCase } from './helpers.js';", 'runCase(add, 3)'),
      { 'test/helpers.js': `${ASSERT}export function runCase(a, b) {\n  assert.equal(a(), b);\n}\n` },
    ],
    [
      'through a helper that calls one that asserts',
      'test/add.test.js',
      JS("import { runAll } from './all.js';", 'runAll(add)'),
      {
        'test/all.js': "import { runCase } from './helpers.js';\nexport const runAll = (a) => runCase(a);\n",
        'test/helpers.js': `${ASSERT}export const runCase = (a) => assert.ok(a);\n`,
      },
    ],
    [
      'through an object that asserts',
      'test/add.test.js',
      JS("import { calculator } from './helpers.js';", 'calculator.of([1]).toTotal(1)'),
      {
        'test/helpers.js': `${ASSERT}export const calculator = {\n  of: (a) => ({ toTotal: (b) => assert.equal(a, b) }),\n};\n`,
      },
    ],
    [
      'through a helper of CommonJS',
      'test/add.test.js',
      JS("const { same } = require('./helpers');", 'same(1, 1)'),
      {
        'test/helpers.js': 'const check = require("assert");\nexports.same = (a, b) => check.equal(a, b);\n',
      },
    ],
    [
      'through a module that is a function',
      'test/add.test.js',
      JS("const same = require('./same');", 'same(1, 1)'),
      { 'test/same.js': 'module.exports = (a, b) => require("assert").equal(a, b);\n' },
    ],
    [
      'by a method of what it tests',
      'test/add.test.js',
      JS('', "await request(server).get('/').expect(200)"),
      {},
    ],
    [
      'through a function in Python',
      'tests/test_add.py',
      'from tests.helpers import run_case\n\n\ndef test_adds():\n    run_case(1, 2)\n',
      { 'tests/helpers.py': 'def run_case(a, b):\n    assert a == b\n' },
    ],
    [
      'through a method of its base class',
      'tests/test_add.py',
      'from tests.base import Case\n\n\nclass TestAdd(Case):\n    def test_adds(self):\n        self.compare(1, 2)\n',
      {
        'tests/base.py':
          'import unittest\n\n\nclass Case(unittest.TestCase):\n    def compare(self, a, b):\n        self.assertEqual(a, b)\n',
      },
    ],
    [
      'through a fixture',
      'tests/test_add.py',
      'def test_adds(same):\n    same(1, 2)\n',
      {
        'tests/conftest.py':
          '@pytest.fixture\ndef same():\n    def run(a, b):\n        assert a == b\n    return run\n',
      },
    ],
    [
      'through a method in Go',
      'add_test.go',
      'package calc\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\tsuite{t}.totals(3, 1, 2)\n}\n',
      {
        'helpers_test.go':
          'package calc\n\nimport "testing"\n\ntype suite struct{ t *testing.T }\n\nfunc (s suite) totals(a ...int) {\n\ts.t.Fatalf("no")\n}\n',
      },
    ],
    [
      'through a module in Rust',
      'tests/add.rs',
      'mod common;\n\n#[test]\nfn adds() {\n    common::totals(&[1, 2], 3);\n}\n',
      { 'tests/common/mod.rs': 'pub fn totals(a: &[i64], b: i64) {\n    assert_eq!(a.len(), b);\n}\n' },
    ],
    ['by unwrapping in Rust', 'tests/add.rs', '#[test]\nfn parses() {\n    parse("7").unwrap();\n}\n', {}],
  ])('%s', (_how, path, text, helpers) => {
    expect(judge(path, text, helpers)).toBe(true);
  });
});

describe('a test without an assertion of its own cannot fail', () => {
  it.each<[string, string, string, Record<string, string>]>([
    ['if it only calls', 'test/add.test.js', JS("import { add } from '../src/add.js';", 'add(1, 2)'), {}],
    [
      'if its helper asserts nothing',
      'test/add.test.js',
      JS("import { runCase } from './helpers.js';", 'runCase(add, 3)'),
      { 'test/helpers.js': 'export function runCase(a, b) {\n  return a(b);\n}\n' },
    ],
    [
      'if it uses nothing of its file’s helpers',
      'test/add.test.js',
      JS("import { runCase } from './helpers.js';", 'add(3)'),
      { 'test/helpers.js': `${ASSERT}export const runCase = (a) => assert.ok(a);\n` },
    ],
    ['in Python', 'tests/test_add.py', 'def test_adds():\n    add(1, 2)\n', {}],
    ['in Rust', 'tests/add.rs', '#[test]\nfn adds() {\n    add(1, 2);\n}\n', {}],
    [
      'in a source of Rust, whose code may panic',
      'src/add.rs',
      'pub fn add(a: i64) -> i64 {\n    a.checked_add(1).unwrap()\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {\n        add(1);\n    }\n}\n',
      {},
    ],
  ])('%s', (_how, path, text, helpers) => {
    expect(judge(path, text, helpers)).toBe(false);
  });
});
