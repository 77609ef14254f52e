import { describe, expect, it } from 'vitest';
import { findAlteredCases } from '../../../src/verification/test-files/find-altered-cases.ts';

const JS = `import { expect, test, describe } from 'vitest';
import { add } from '../src/add.js';
import { check } from './check.js';

const LIMIT = 3;
const helper = (value) => expect(value).toBeLessThan(LIMIT);

test('adds', () => expect(add(1, 2)).toBe(3));

test('stays below the limit', () => {
  helper(add(1, 1));
});

describe('checked', () => {
  beforeEach(() => reset());

  it('is checked', () => check(add(1, 1)));
});
`;

const PYTHON = `import pytest
from calc import add

LIMIT = 3

def helper(value):
    assert value < LIMIT

def test_adds():
    assert add(1, 2) == 3

def test_limit():
    helper(add(1, 1))

class TestMore:
    def setup_method(self):
        self.value = 1

    @pytest.mark.parametrize("a", [1, 2])
    def test_value(self, a):
        assert add(self.value, a) > a
`;

const GO = `package calc

import "testing"

func helper(t *testing.T, value int) {
	if value != 3 {
		t.Fatal(value)
	}
}

func TestAdd(t *testing.T) {
	helper(t, Add(1, 2))
}

func TestZero(t *testing.T) {
	if Add(0, 0) != 0 {
		t.Fatal("no")
	}
}
`;

function altered(path: string, before: string, after: string, changedFiles: string[] = []): string[] {
  const found = findAlteredCases({ path, text: before }, { path, text: after }, changedFiles);
  return found?.altered.map(({ name }) => name) ?? ['(unknown)'];
}

describe('altered tests of a JavaScript file', () => {
  const change = (from: string, to: string, changedFiles?: string[]) => {
    expect(JS).toContain(from);
    return altered('test/a.test.js', JS, JS.replace(from, to), changedFiles);
  };

  it('are only those whose own text changed', () => {
    expect(change('toBe(3)', 'toBe(4)')).toEqual(['adds']);
  });

  it('are none after reformatting or for a comment', () => {
    expect(change('  helper(add(1, 1));\n', '  // why\n  helper(\n    add(1, 1),\n  )\n')).toEqual([]);
  });

  it('include those that use a changed helper, also indirectly', () => {
    expect(change('toBeLessThan', 'toBeGreaterThan')).toEqual(['stays below the limit']);
    expect(change('LIMIT = 3', 'LIMIT = 4')).toEqual(['stays below the limit']);
  });

  it('are not all when an import is added', () => {
    expect(change('import { add }', 'import { add, subtract }')).toEqual([]);
    const added = "test('subtracts', () => expect(subtract(1, 2)).toBe(-1));\n\ntest('stays";
    expect(
      altered(
        'test/a.test.js',
        JS,
        JS.replace('import { add }', 'import { add, subtract }').replace("test('stays", added),
      ),
    ).toEqual(['subtracts']);
  });

  it('include those that use a name with a new source', () => {
    expect(change("from './check.js'", "from './lenient.js'")).toEqual(['checked > is checked']);
  });

  it('include all tests of a suite whose hooks changed', () => {
    expect(change('reset()', 'reset(1)')).toEqual(['checked > is checked']);
  });

  it('are all after a change without a name', () => {
    expect(change('const LIMIT', "vi.mock('../src/add.js');\nconst LIMIT")).toHaveLength(3);
  });

  it('include those that use a changed helper file', () => {
    expect(altered('test/a.test.js', JS, JS, ['test/check.js'])).toEqual(['checked > is checked']);
  });

  it('include a test whose table changed', () => {
    const table = (rows: string) => `test.each([${rows}])('adds %i', (n) => expect(n).toBe(n));\n`;
    expect(altered('a.test.js', table('1, 2'), table('1'))).toEqual(['adds %i']);
  });

  it('exclude the neighbours of a new suite in the same suite', () => {
    const nested = (more: string) =>
      `describe('all', () => {\n  it('one', () => expect(1).toBe(x));\n${more}});\n`;
    const more = "  describe('inner', () => {\n    it('two', () => expect(2).toBe(x));\n  });\n";
    expect(altered('a.test.js', nested(''), nested(more))).toEqual(['all > inner > two']);
  });
});

describe('altered tests of other languages', () => {
  it('are determined per test in Python', () => {
    const change = (from: string, to: string) => altered('test_a.py', PYTHON, PYTHON.replace(from, to));
    expect(change('== 3', '== 4')).toEqual(['test_adds']);
    expect(change('LIMIT = 3', 'LIMIT = 5')).toEqual(['test_limit']);
    expect(change('import add', 'import add, sub')).toEqual([]);
    expect(change('self.value = 1', 'self.value = 2')).toEqual(['TestMore > test_value']);
    expect(change('[1, 2]', '[1]')).toEqual(['TestMore > test_value']);
  });

  it('change with a further submodule only if its package is not from Python’s standard library', () => {
    const change = (before: string, after: string) => {
      const file = (imports: string) =>
        `${imports}\n\nclass A(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(1, 1)\n`;
      return altered('test_a.py', file(before), file(after));
    };
    expect(change('import unittest', 'import unittest\nimport unittest.mock')).toEqual([]);
    expect(change('import unittest', 'import other as unittest')).toEqual(['A > test_a']);
    const own = (imports: string) => `${imports}\n\ndef test_a():\n    assert shop.price() == 1\n`;
    expect(altered('test_a.py', own('import shop'), own('import shop\nimport shop.patches'))).toEqual([
      'test_a',
    ]);
    expect(change('import unittest.mock', 'import unittest.case')).toEqual(['A > test_a']);
  });

  it('are determined per test in Go', () => {
    const change = (from: string, to: string) => altered('a_test.go', GO, GO.replace(from, to));
    expect(change('!= 0', '!= 1')).toEqual(['TestZero']);
    expect(change('value != 3', 'false')).toEqual(['TestAdd']);
    expect(change('import "testing"', 'import (\n\t"strings"\n\t"testing"\n)')).toEqual([]);
  });

  it('are unknown in an unsupported language', () => {
    expect(altered('test.rb', 'a', 'b')).toEqual(['(unknown)']);
  });
});

describe('altered tests of a Rust file', () => {
  const RUST = `use calc::*;

fn values() -> Vec<i32> {
    vec![1, 2]
}

#[test]
fn adds() {
    assert_eq!(add(1, 2), 3);
}

#[test]
fn adds_values() {
    assert_eq!(sum(&values()), 3);
}
`;
  const added = '#[cfg(feature = "zero")]\n#[test]\nfn adds_zero() {\n    assert_eq!(add(0, 1), 1);\n}\n\n';

  it('are only the new one, wherever it is added', () => {
    expect(altered('tests/a.rs', RUST, `${RUST}\n${added}`)).toEqual(['adds_zero']);
    expect(altered('tests/a.rs', RUST, RUST.replace('#[test]', `${added}#[test]`))).toEqual(['adds_zero']);
  });

  it('are those that use changed code, and none for a removed test', () => {
    expect(altered('tests/a.rs', RUST, RUST.replace('vec![1, 2]', 'vec![3]'))).toEqual(['adds_values']);
    expect(altered('tests/a.rs', `${RUST}\n#[test]\nfn gone() {}\n`, RUST)).toEqual([]);
  });
});

describe('altered tests after a decorated function of Python', () => {
  it('are those that use it, not all that follow', () => {
    const fixture = '@pytest.fixture\ndef one():\n    return 1\n\n';
    const tests = 'def test_one(one):\n    assert one\n\ndef test_two():\n    assert 2\n';
    const changed = `${fixture.replace('return 1', 'return 2')}${tests}`;
    expect(altered('tests/test_a.py', `${fixture}${tests}`, changed)).toEqual(['test_one']);
  });
});

describe('altered tests after a new method of Go', () => {
  it('are those that use its type, not those that use a method of the same name', () => {
    const own = 'type own int\n\nfunc (o *own) Set(s string) error {\n\terr := parse(s)\n\treturn err\n}\n\n';
    const test =
      'func TestOwn(t *testing.T) {\n\tvar o own\n\tif err := o.Set("1"); err != nil {\n\t\tt.Fatal(err)\n\t}\n}\n';
    const before = GO.replace('helper(t, Add(1, 2))', 'err := other.Set("x")\n\thelper(t, err)');
    expect(altered('a_test.go', before, `${before}\n${own}${test}`)).toEqual(['TestOwn']);
    const changed = own.replace('parse(s)', 'read(s)');
    expect(altered('a_test.go', `${before}\n${own}${test}`, `${before}\n${changed}${test}`)).toEqual([
      'TestOwn',
    ]);
  });
});

describe('an altered example of Go', () => {
  it('is one whose code or expected output changed', () => {
    const example = (name: string, sum: number) =>
      `\nfunc ${name}() {\n\tfmt.Println(Add(1, 2))\n\t// Output: ${sum}\n}\n`;
    const before = GO + example('ExampleAdd', 3) + example('ExampleOther', 3);
    expect(altered('a_test.go', before, `${before}\nfunc TestNew(t *testing.T) {}\n`)).toEqual(['TestNew']);
    expect(altered('a_test.go', before, GO + example('ExampleAdd', 4) + example('ExampleOther', 3))).toEqual([
      'ExampleAdd',
    ]);
  });
});

describe('an altered test in a Rust module', () => {
  const module = (...tests: string[]) =>
    `#[cfg(test)]\nmod tests {\n    use super::*;\n\n    fn one() -> i32 {\n        1\n    }\n\n${tests.join('\n\n')}\n}\n`;
  const test = (name: string, attributes = '#[test]') =>
    `    ${attributes}\n    fn ${name}() {\n        assert_eq!(add(one(), 2), 3);\n    }`;
  const before = module(test('first'), test('second'));

  it('is a new one, or one whose attributes changed, and not its neighbours', () => {
    const added = module(test('first'), test('between'), test('second'));
    expect(altered('src/lib.rs', before, added)).toEqual(['tests > between']);
    const panics = module(test('first', '#[test]\n    #[should_panic]'), test('second'));
    expect(altered('src/lib.rs', before, panics)).toEqual(['tests > first']);
  });

  it('is every one after a change of a function that they share', () => {
    expect(altered('src/lib.rs', before, before.replace('        1\n', '        2\n'))).toEqual([
      'tests > first',
      'tests > second',
    ]);
  });
});
