import { describe, expect, it } from 'vitest';
import { reachingFiles } from '../../../src/verification/test-side/reaching-files.ts';

const found = (path: string, text: string, before?: string, isolated = true) =>
  reachingFiles(before === undefined ? [] : [{ path, text: before }], [{ path, text }], { isolated });

const PYTHON = ['tests/test_a.py', 'from calc import Sum\nimport calc.add as adding\n'] as const;
const JS = [
  'test/a.test.js',
  "const { Sum } = require('../src/sum');\nimport lib, { add as plus } from '../src/lib.js';\n",
] as const;

describe('a test file reaches others if it', () => {
  it.each([
    ['assigns to a class of the product', ...PYTHON, 'Sum.total = lambda self: 5\n'],
    ['assigns to a module, in a function', ...PYTHON, 'def test_a():\n    adding.add = print\n'],
    ['assigns to another name for it', ...PYTHON, 'kind = adding.Sum\nkind.total = print\n'],
    ['sets an attribute', ...PYTHON, 'setattr(Sum, "total", print)\n'],
    ['puts a module in the place of another', ...PYTHON, 'import sys\nsys.modules["calc.add"] = adding\n'],
    ['starts a patch', ...PYTHON, 'mock.patch("calc.add.add", print).start()\n'],
    ['assigns to a prototype of the product', ...JS, 'Sum.prototype.total = () => 5;\n'],
    ['assigns to another name for a prototype', ...JS, 'const own = Sum.prototype;\nown.total = () => 5;\n'],
    ['assigns to exports of a module', ...JS, "lib['add'] = () => 5;\n"],
    ['defines a property', ...JS, "Object.defineProperty(Sum.prototype, 'total', { value: 5 });\n"],
    ['assigns to a function of the language', ...JS, 'JSON.stringify = () => "";\n'],
    ['changes the loaded modules', ...JS, "require.cache[require.resolve('../src/sum')].exports = {};\n"],
    ['assigns in a hook on one line', ...JS, 'beforeEach(() => { lib.add = () => 5; });\n'],
    ['has an init function', 'add_test.go', 'package calc\n', 'func init() { limit = 5 }\n'],
    [
      'has a function around all tests',
      'add_test.go',
      'package calc\n',
      'func TestMain(m *testing.M) { limit = 5; os.Exit(m.Run()) }\n',
    ],
  ])('%s', (_name, path, head, text) => {
    expect(found(path, head + text)).toEqual([path]);
    expect(found(path, head + text, head)).toEqual([path]);
  });
});

describe('if all test files share a process, a test file may reach others if it', () => {
  const GO = ['add_test.go', 'package calc\n\nimport "testing"\n\n'] as const;
  it.each([
    ['stubs a member', ...JS, "sinon.stub(lib, 'add').returns(5);\n"],
    ['mocks a method', ...JS, "  mock.method(lib, 'add', () => 5);\n"],
    ['has a hook outside every suite', ...JS, 'beforeEach(() => prepare());\n'],
    ['sets a variable of the environment', ...JS, "process.env.START = '0';\n"],
    ['replaces a module', ...JS, "const mockery = require('mockery');\n"],
    ['starts a patch later', ...PYTHON, "patcher = mock.patch('calc.add')\npatcher.start()\n"],
    ['has a fixture for the whole run', ...PYTHON, '@pytest.fixture(scope="session", autouse=True)\n'],
    ['enters a context for good', ...PYTHON, 'stack.enter_context(mock.patch("calc.add"))\n'],
    ['sets a variable of the package', ...GO, 'func TestAdd(t *testing.T) {\n\tlimit = 5\n}\n'],
    ['sets one of another package', ...GO, 'func TestAdd(t *testing.T) {\n\tcalc.Limit++\n}\n'],
  ])('%s', (_name, path, head, text) => {
    expect(found(path, head + text, head, false)).toEqual([path]);
    expect(found(path, head + text, head + text, false)).toEqual([]);
  });

  it.each([
    [
      'assigns to its own variables',
      ...GO,
      'var total, rest int\n\nfunc TestAdd(t *testing.T) {\n\tsum, err := add(1)\n\tsum, err = add(2)\n\ttotal += sum\n\tt.x = err\n\tfor i := 0; i < 3; i++ {\n\t\tsum++\n\t}\n}\n',
    ],
    ['has hooks in a suite', ...JS, "describe('a', () => {\n  beforeEach(() => prepare());\n});\n"],
    ['stubs its own object', ...JS, "const one = {};\nsinon.stub(one, 'add');\n"],
    ['patches during a test', ...PYTHON, '@mock.patch("calc.add")\ndef test_add(add):\n    assert add\n'],
    ['starts something else', ...PYTHON, 'def test_add():\n    thread.start()\n'],
  ])('not if it %s', (_name, path, head, text) => {
    expect(found(path, head + text, head, false)).toEqual([]);
  });
});

describe('a test file reaches no others if it', () => {
  it.each([
    ['only compares', ...PYTHON, 'def test_a():\n    assert Sum.total == adding.total\n'],
    ['assigns to its own objects', ...PYTHON, 'def test_a():\n    one = Sum()\n    one.total = 5\n'],
    [
      'patches during a test',
      ...PYTHON,
      'def test_a(monkeypatch):\n    monkeypatch.setattr(Sum, "total", 5)\n',
    ],
    ['assigns to its own objects', ...JS, 'const one = new Sum();\none.total = 5;\nplus(one.total) === 5;\n'],
    ['copies', ...JS, 'const copy = Object.assign({}, Sum);\nconst ok = Sum.total == 5;\n'],
  ])('%s', (_name, path, head, text) => {
    expect(found(path, head + text)).toEqual([]);
  });

  it('did so before', () => {
    const text = `${PYTHON[1]}Sum.total = print\n`;
    expect(found(PYTHON[0], `${text}\n\ndef test_b():\n    pass\n`, text)).toEqual([]);
  });
});

// An expression that can blow up would exceed the timeout.
it.each([
  ['import '],
  [' '],
  ['from x import ('],
  ['const { a'],
  ['sys.modules '],
  ['patch('],
  ['patch.'],
  ['a.a'],
  ['a = b.'],
  ['setattr( '],
  ['stub('],
  ['a, '],
  ['func '],
  ['var (\n'],
  ['\ta['],
])('a file of many %j is read in linear time', (piece) => {
  const text = piece.repeat(400_000 / piece.length);
  for (const path of ['test_a.py', 'a.test.js', 'a_test.go'])
    for (const hostile of [text, `import ${text}x`, `a = b${text}x`])
      expect(found(path, hostile, undefined, false).length).toBeLessThan(2);
});
