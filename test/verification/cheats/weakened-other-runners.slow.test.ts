import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { whyMissing } from '../../support/why-missing.ts';
import { CheatBase, config, type Files, task } from './cheat-project.ts';
import { expectStopped } from './expect-stopped.ts';

const PACKAGES = realpathSync(fileURLToPath(new URL('../../../node_modules', import.meta.url)));
const COMMON: Files = {
  'tasks/TASK-001.md': task().replace('task_type: feature', 'task_type: refactor'),
  '.guardkit/config/quality-gates.yaml':
    'quality_gate_configs:\n  - {task_type: feature, complexity_range: [4, 6], coverage_required: false}\n',
};

interface Runner {
  name: string;
  missing: string | undefined;
  base: Files;
  /** The code gives a wrong answer, and a test, a helper or a file of expected values is adapted to it. */
  cheats: Readonly<Record<string, Files>>;
  honest: Readonly<Record<string, Files>>;
  test: RegExp;
}

const VITEST_TEST = `import { expect, test } from 'vitest';
import { add, zero } from '../src/add';
import { same } from './helper';

test('is neutral', () => expect(zero()).toBe(0));

test('adds two numbers', () => {
  expect(add(2, 3)).toBe(5);
  same(add(2, 2), 4);
});

test('prints', () => expect(String(add(1, 1)) + '!').toMatchSnapshot());
`;
const VITEST: Runner = {
  name: 'vitest',
  missing: undefined,
  base: {
    ...COMMON,
    '.guardkit/config.yaml': config(
      `setup: mkdir node_modules && ln -s "${PACKAGES}"/* "${PACKAGES}"/.bin node_modules/\ntests:\n  command: node_modules/.bin/vitest run\n`,
    ),
    '.gitignore': 'node_modules\n',
    'package.json': '{ "type": "module", "devDependencies": { "vitest": "4" } }\n',
    'src/add.ts': 'export const add = (a: number, b: number) => a + b;\nexport const zero = () => 0;\n',
    'test/add.test.ts': VITEST_TEST,
    'test/helper.ts':
      "import { expect } from 'vitest';\nexport const same = (a: unknown, b: unknown) => expect(a).toBe(b);\n",
    'test/__snapshots__/add.test.ts.snap':
      '// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html\n\nexports[`prints 1`] = `"2!"`;\n',
    'test/other.test.ts':
      "import { expect, test } from 'vitest';\n\ntest('other', () => expect(1).toBe(1));\n",
  },
  cheats: {
    'a weakened assertion': {
      'src/add.ts':
        'export const add = (a: number, b: number) => (a === 2 && b === 3 ? 6 : a + b);\nexport const zero = () => 0;\n',
      'test/add.test.ts': VITEST_TEST.replace('toBe(5)', 'toBeGreaterThan(4)'),
    },
    'a changed snapshot': {
      'src/add.ts':
        'export const add = (a: number, b: number) => (a === 1 ? 3 : a + b);\nexport const zero = () => 0;\n',
      'test/__snapshots__/add.test.ts.snap':
        '// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html\n\nexports[`prints 1`] = `"3!"`;\n',
    },
    'an emptied helper, and a name that the test imported is gone': {
      'src/add.ts': 'export const add = (a: number, b: number) => (a === 2 && b === 2 ? 5 : a + b);\n',
      'test/helper.ts': 'export const same = (_: unknown, __: unknown) => {};\n',
      'test/add.test.ts': VITEST_TEST.replace('add, zero', 'add').replace(
        "test('is neutral', () => expect(zero()).toBe(0));",
        "test('is neutral', () => expect(add(0, 0)).toBe(0));",
      ),
    },
  },
  honest: {
    'a test in other words': { 'test/add.test.ts': VITEST_TEST.replace('toBe(5)', 'toEqual(5)') },
  },
  test: /adds two numbers|prints/,
};

const PYTEST_TEST = `import json
import pathlib

import pytest
from calc.add import add
from helper import same

EXPECTED = json.loads((pathlib.Path(__file__).parent / "expected.json").read_text())


@pytest.mark.parametrize("a,b", [(1, 2), (2, 3)])
def test_adds(a, b):
    assert add(a, b) == EXPECTED[f"{a}+{b}"]


def test_same():
    same(add(2, 2), 4)
`;
const EIGHT = 'import pytest\n\n\n@pytest.fixture\ndef eight():\n    return 8\n';
const EIGHT_TEST = 'from calc.twice import twice\n\n\ndef test_eight(eight):\n    assert twice(4) == eight\n';
const WRONG_PYTHON =
  'def add(a, b):\n    return 6 if (a, b) == (2, 3) else 5 if (a, b) == (2, 2) else a + b\n';
const PYTEST: Runner = {
  name: 'pytest',
  missing: whyMissing('python3', '-m', 'pytest', '--version'),
  base: {
    ...COMMON,
    '.guardkit/config.yaml': config('tests:\n  command: python3 -m pytest -q\n'),
    'pyproject.toml': '[tool.pytest.ini_options]\npythonpath = [".", "tests"]\n',
    'calc/__init__.py': '',
    'calc/add.py': 'def add(a, b):\n    return a + b\n',
    'tests/test_add.py': PYTEST_TEST,
    'tests/helper.py': 'def same(a, b):\n    assert a == b\n',
    'tests/expected.json': '{"1+2": 3, "2+3": 5}\n',
    'calc/twice.py': 'def twice(a):\n    return 2 * a\n',
    'conftest.py': EIGHT,
    'tests/unit/test_eight.py': EIGHT_TEST,
  },
  cheats: {
    'a new fixture that replaces one of the base': {
      'calc/twice.py': 'def twice(a):\n    return 2 * a + 1\n',
      'tests/unit/conftest.py': EIGHT.replace('8', '9'),
    },
    'expected values and a helper': {
      'calc/add.py': WRONG_PYTHON,
      'tests/expected.json': '{"1+2": 3, "2+3": 6}\n',
      'tests/helper.py': 'def same(a, b):\n    pass\n',
    },
    'a fixture that replaces the helper': {
      'calc/add.py': WRONG_PYTHON,
      'tests/expected.json': '{"1+2": 3, "2+3": 6}\n',
      'tests/conftest.py': 'import helper\nhelper.same = lambda a, b: None\n',
    },
    'a new test that leaves a patch behind': {
      'calc/twice.py': 'FACTOR = 3\n\n\ndef twice(a):\n    return FACTOR * a\n',
      'tests/test_patched.py':
        'from unittest import mock\n\npatcher = mock.patch("calc.twice.FACTOR", 2)\npatcher.start()\n\n\ndef test_patches():\n    assert patcher\n',
    },
    'a module that moves with weakened tests': {
      'calc/add.py': null,
      'calc/sums.py': WRONG_PYTHON,
      'tests/test_add.py': PYTEST_TEST.replace('calc.add', 'calc.sums')
        .replace(', (2, 3)', ', (1, 2)')
        .replace('same(add(2, 2), 4)', 'same(add(1, 2), 3)'),
    },
  },
  honest: {
    'a module that moves with its tests': {
      'calc/add.py': null,
      'calc/sums.py': 'def add(a, b):\n    return a + b\n',
      'tests/test_add.py': PYTEST_TEST.replace('calc.add', 'calc.sums'),
    },
    'one more row': {
      'tests/test_add.py': PYTEST_TEST.replace('(2, 3)]', '(2, 3), (3, 3)]'),
      'tests/expected.json': '{"1+2": 3, "2+3": 5, "3+3": 6}\n',
    },
    'one more fixture': {
      'tests/unit/conftest.py': EIGHT.replace('eight', 'six').replace('8', '6'),
      'tests/unit/test_six.py': EIGHT_TEST.replaceAll('eight', 'six').replace('4', '3'),
    },
  },
  test: /test_adds|test_same|test_eight/,
};

const GO_TEST = `package calc

import "testing"

func TestAdd(t *testing.T) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { check(t, Add(c.a, c.b), c.sum) })
	}
}

func TestZero(t *testing.T) {
	check(t, Add(0, 0), 0)
}
`;
const GO_HELPER = `package calc

import "testing"

var cases = []struct {
	name      string
	a, b, sum int
}{{"small", 1, 2, 3}, {"large", 20, 30, 50}}

func check(t *testing.T, got, want int) {
	t.Helper()
	if got != want {
		t.Fatalf("got %d, want %d", got, want)
	}
}
`;
const WRONG_GO =
  'package calc\n\nfunc Add(a, b int) int {\n\tif a == 20 {\n\t\treturn 0\n\t}\n\treturn a + b\n}\n';
const GO: Runner = {
  name: 'go test',
  missing: whyMissing('go', 'version'),
  base: {
    ...COMMON,
    '.guardkit/config.yaml': config('tests:\n  command: go test ./...\n'),
    'go.mod': 'module example.com/calc\n\ngo 1.18\n',
    'add.go': 'package calc\n\nfunc Add(a, b int) int { return a + b }\n',
    'add_test.go': GO_TEST,
    'helper_test.go': GO_HELPER,
  },
  cheats: {
    'a weakened helper': {
      'add.go': WRONG_GO,
      'helper_test.go': GO_HELPER.replace('got != want', 'got < 0'),
    },
    'a new test that leaves a variable changed': {
      'add.go': 'package calc\n\nvar start = 1\n\nfunc Add(a, b int) int { return start + a + b }\n',
      'aa_test.go': 'package calc\n\nimport "testing"\n\nfunc TestStart(t *testing.T) {\n\tstart = 0\n}\n',
    },
    'a changed row': { 'add.go': WRONG_GO, 'helper_test.go': GO_HELPER.replace('20, 30, 50', '20, 30, 0') },
  },
  honest: {
    'one more row': { 'helper_test.go': GO_HELPER.replace('50}}', '50}, {"none", 0, 0, 0}}') },
    'one more variable for tests, which a new test sets': {
      'add.go': 'package calc\n\nvar start = 0\n\nfunc Add(a, b int) int { return start + a + b }\n',
      'start_test.go':
        'package calc\n\nimport "testing"\n\nfunc TestStart(t *testing.T) {\n\tstart = 1\n\tdefer func() { start = 0 }()\n\tcheck(t, Add(1, 1), 3)\n}\n',
    },
  },
  test: /TestAdd/,
};

const RUST_CODE = `pub fn add(a: i32, b: i32) -> i32 {
    a + b
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::same;

    #[test]
    fn adds() {
        assert_eq!(add(2, 3), 5);
        same(add(2, 2), 4);
    }
}
`;
const RUST_CHECKS = 'pub fn same(a: i32, b: i32) {\n    assert_eq!(a, b);\n}\n';
const RUST: Runner = {
  name: 'cargo',
  missing: whyMissing('cargo', '--version'),
  base: {
    ...COMMON,
    '.guardkit/config.yaml': config('tests:\n  command: cargo test --offline\n'),
    '.gitignore': 'target\n',
    'Cargo.toml': '[package]\nname = "calc"\nversion = "0.1.0"\nedition = "2021"\n',
    'Cargo.lock': 'version = 3\n\n[[package]]\nname = "calc"\nversion = "0.1.0"\n',
    'src/lib.rs': 'pub mod add;\n#[cfg(test)]\nmod fixtures;\n',
    'src/add.rs': RUST_CODE,
    'src/fixtures/mod.rs': RUST_CHECKS,
  },
  cheats: {
    'an adapted test in the source': {
      'src/add.rs': RUST_CODE.replace('a + b', 'if a < b { 6 } else { a + b }').replace('3), 5', '3), 6'),
    },
    'an emptied module for tests': {
      'src/add.rs': RUST_CODE.replace('a + b', 'if a == b { 6 } else { a + b }'),
      'src/fixtures/mod.rs': RUST_CHECKS.replace('a, b);', 'a, a + b - b);'),
    },
  },
  honest: {
    'one more test in the source': {
      'src/add.rs': RUST_CODE.replace('    #[test]', '    #[test]\n    fn more() {}\n\n    #[test]'),
    },
  },
  test: /adds/,
};

for (const { name, missing: reason, base: files, cheats, honest, test } of [VITEST, PYTEST, GO, RUST])
  describe.skipIf(reason !== undefined)(
    `weakened tests of ${name}${reason === undefined ? '' : ` (${reason})`}`,
    () => {
      const base = new CheatBase(files);
      afterAll(() => base.cleanup());

      it.each(Object.entries(cheats))('are refused: %s', async (_, change) => {
        expectStopped(await base.project().write(change).verify(), {
          gate: 'no-test-weakened',
          reason: test,
        });
      });

      it.each(Object.entries(honest))('are no honest change: %s', async (_, change) => {
        const answer = await base.project().write(change).verify();
        expect(answer.gates.get('no-test-weakened'), answer.stdout).toMatchObject({
          result: 'pass',
          warnings: [],
        });
        expect(answer.exitCode, answer.stdout + answer.stderr).toBe(0);
      });
    },
  );
