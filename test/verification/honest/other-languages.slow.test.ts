import { afterAll, describe, expect, it } from 'vitest';
import { whyMissing } from '../../support/why-missing.ts';
import { CheatBase, config, type Files, NODE_PROJECT } from '../cheats/cheat-project.ts';

const has = (program: string, ...args: string[]) => whyMissing(program, ...args) === undefined;

interface Language {
  name: string;
  /** Why it cannot be tried on this machine. */
  missing: string;
  command: string;
  base: Files;
  /** An honest change that adds a test, and one that alters a test. */
  added: Files;
  altered: Files;
  /** Files that break the honest change in a way that its tests must show. */
  broken: Files;
}

const PYTHON_BASE = {
  'calc/__init__.py': '',
  'calc/add.py': 'def add(a, b):\n    return a + b\n',
  '.gitignore': '__pycache__\n',
};
const MANY = 'def add(*numbers):\n    return sum(numbers)\n';

const PYTHON_ENVIRONMENT = `

def test_environment():
    assert [name for name in os.environ if "GUARDKIT" in name or name in ("PYTHONPATH", "PYTEST_ADDOPTS")] == []
`;
const GO_ENVIRONMENT = `func TestEnvironment(t *testing.T) {
	for _, one := range os.Environ() {
		if strings.Contains(one, "GUARDKIT") || strings.HasPrefix(one, "GOFLAGS=") {
			t.Error(one)
		}
	}
}
`;

const LANGUAGES: Language[] = [
  {
    name: 'pytest',
    missing: has('python3', '-m', 'pytest', '--version') ? '' : 'pytest',
    command: 'python3 -m pytest -q',
    base: {
      ...PYTHON_BASE,
      'tests/test_add.py': `import os
from calc.add import add


def test_adds():
    assert add(2, 3) == 5
${PYTHON_ENVIRONMENT}`,
    },
    added: {
      'calc/multiply.py': 'def multiply(a, b):\n    return a * b\n',
      'tests/test_multiply.py':
        'from calc.multiply import multiply\n\n\ndef test_multiplies():\n    assert multiply(2, 3) == 6\n',
    },
    altered: {
      'calc/add.py': MANY,
      'tests/test_add.py': `import os
from calc.add import add


def test_adds():
    assert add(2, 3) == 5
    assert add(1, 2, 3) == 6
${PYTHON_ENVIRONMENT}`,
    },
    broken: {
      'calc/multiply.py':
        'import _pytest.python\n\n_pytest.python.Function.runtest = lambda self: None\n\n\ndef multiply(a, b):\n    return a + b\n',
    },
  },
  {
    name: 'unittest',
    missing: has('python3', '--version') ? '' : 'Python',
    command: 'python3 -m unittest discover -s tests -t .',
    base: {
      ...PYTHON_BASE,
      'tests/__init__.py': '',
      'tests/test_add.py':
        'import unittest\nfrom calc.add import add\n\n\nclass Add(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual(add(2, 3), 5)\n',
    },
    added: {
      'calc/multiply.py': 'def multiply(a, b):\n    return a * b\n',
      'tests/test_multiply.py':
        'import unittest\nfrom calc.multiply import multiply\n\n\nclass Multiply(unittest.TestCase):\n    def test_multiplies(self):\n        self.assertEqual(multiply(2, 3), 6)\n',
    },
    altered: {
      'calc/add.py': MANY,
      'tests/test_add.py':
        'import unittest\nfrom calc.add import add\n\n\nclass Add(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual(add(2, 3), 5)\n        self.assertEqual(add(1, 2, 3), 6)\n',
    },
    broken: {
      'calc/multiply.py':
        'import unittest\n\nunittest.TestCase.assertEqual = lambda *_: None\n\n\ndef multiply(a, b):\n    return a + b\n',
    },
  },
  {
    name: 'Go',
    missing: has('go', 'version') ? '' : 'Go',
    command: 'go test ./...',
    base: {
      'go.mod': 'module example.com/calc\n\ngo 1.19\n',
      'add/add.go': 'package add\n\nfunc Add(a, b int) int { return a + b }\n',
      'add/add_test.go': `package add

import (
	"os"
	"strings"
	"testing"
)

func TestAdd(t *testing.T) {
	if Add(2, 3) != 5 {
		t.Fatal("not 5")
	}
}

${GO_ENVIRONMENT}`,
      'other/other_test.go': 'package other\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {}\n',
    },
    added: {
      'multiply/multiply.go': 'package multiply\n\nfunc Multiply(a, b int) int { return a * b }\n',
      'multiply/multiply_test.go':
        'package multiply\n\nimport "testing"\n\nfunc TestMultiply(t *testing.T) {\n\tif Multiply(2, 3) != 6 {\n\t\tt.Fatal("not 6")\n\t}\n}\n',
    },
    altered: {
      'add/add.go':
        'package add\n\nfunc Add(numbers ...int) int {\n\tsum := 0\n\tfor _, one := range numbers {\n\t\tsum += one\n\t}\n\treturn sum\n}\n',
      'add/add_test.go': `package add

import (
	"os"
	"strings"
	"testing"
)

func TestAdd(t *testing.T) {
	if Add(2, 3) != 5 {
		t.Fatal("not 5")
	}
	if Add(1, 2, 3) != 6 {
		t.Fatal("not 6")
	}
}

${GO_ENVIRONMENT}`,
    },
    broken: {
      'multiply/multiply.go':
        'package multiply\n\nimport (\n\t"fmt"\n\t"os"\n)\n\nfunc Multiply(a, b int) int {\n\tfmt.Println("--- PASS: TestMultiply (0.00s)\\nPASS\\nok  \\texample.com/calc/multiply\\t0.001s")\n\tos.Exit(0)\n\treturn 0\n}\n',
    },
  },
  {
    name: 'cargo',
    missing: has('cargo', '--version') ? '' : 'cargo',
    command: 'cargo test --offline',
    base: {
      'Cargo.toml': '[package]\nname = "calc"\nversion = "0.1.0"\nedition = "2021"\n',
      'Cargo.lock': 'version = 3\n\n[[package]]\nname = "calc"\nversion = "0.1.0"\n',
      '.gitignore': 'target\n',
      'src/lib.rs': 'pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n',
      'tests/add.rs': '#[test]\nfn adds() {\n    assert_eq!(calc::add(2, 3), 5);\n}\n',
    },
    added: {
      'src/lib.rs':
        'pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n\npub fn multiply(a: i32, b: i32) -> i32 {\n    a * b\n}\n',
      'tests/multiply.rs': '#[test]\nfn multiplies() {\n    assert_eq!(calc::multiply(2, 3), 6);\n}\n',
    },
    altered: {
      'src/lib.rs': 'pub fn add(a: i32, b: i32) -> i32 {\n    a.saturating_add(b)\n}\n',
      'tests/add.rs':
        '#[test]\nfn adds() {\n    assert_eq!(calc::add(2, 3), 5);\n    assert_eq!(calc::add(i32::MAX, 1), i32::MAX);\n}\n',
    },
    broken: {
      'src/lib.rs':
        'pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n\npub fn multiply(a: i32, b: i32) -> i32 {\n    println!("test multiplies ... ok");\n    std::process::exit(0)\n}\n',
    },
  },
];

const bases: CheatBase[] = [];
afterAll(() => {
  for (const base of bases) base.cleanup();
});

describe.each(LANGUAGES)(
  'a project with $name',
  ({ name, missing, command, base, added, altered, broken }) => {
    const because = missing === '' ? '' : ` (SKIPPED: ${missing} is not installed here)`;
    let made: CheatBase | undefined;
    const project = () => {
      made ??= new CheatBase({
        ...base,
        'tasks/TASK-001.md': NODE_PROJECT['tasks/TASK-001.md'] ?? '',
        '.guardkit/config.yaml': config(`tests:\n  command: ${command}\n`),
        '.guardkit/config/quality-gates.yaml':
          'quality_gate_configs:\n  - {task_type: feature, complexity_range: [4, 6], coverage_required: false}\n',
      });
      if (!bases.includes(made)) bases.push(made);
      return made.project();
    };

    it.skipIf(missing !== '')(`passes a change with a new test${because}`, async () => {
      const answer = await project().write(added).verify();
      expect(answer.exitCode, answer.stdout + answer.stderr).toBe(0);
      expect(answer.gates.get('new-tests-bite')?.result).toBe('pass');
    });

    it.skipIf(missing !== '')(`passes a change with an altered test${because}`, async () => {
      const answer = await project().write(altered).verify();
      expect(answer.exitCode, answer.stdout + answer.stderr).toBe(0);
      expect(answer.gates.get('new-tests-bite')?.result).toBe('pass');
    });

    it.skipIf(missing !== '')(
      `refuses one whose code decides the result of its tests in ${name}${because}`,
      async () => {
        const answer = await project().write(added).write(broken).verify();
        expect(answer.exitCode, answer.stdout).toBe(1);
        expect(answer.gates.get('tests')?.result).toBe('fail');
      },
    );
  },
);
