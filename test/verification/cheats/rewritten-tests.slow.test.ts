import { afterAll, describe, expect, it } from 'vitest';
import { whyMissing } from '../../support/why-missing.ts';
import { CheatBase, config, type Files, task } from './cheat-project.ts';
import { expectStopped } from './expect-stopped.ts';

const COMMON: Files = {
  'tasks/TASK-001.md': task().replace('task_type: feature', 'task_type: refactor'),
  '.guardkit/config/quality-gates.yaml':
    'quality_gate_configs:\n  - {task_type: feature, complexity_range: [4, 6], coverage_required: false}\n',
};
const CARGO: Files = {
  ...COMMON,
  '.guardkit/config.yaml': config('tests:\n  command: cargo test --offline\n'),
  '.gitignore': 'target\n',
  'Cargo.toml': '[package]\nname = "calc"\nversion = "0.1.0"\nedition = "2021"\n',
  'Cargo.lock': 'version = 3\n\n[[package]]\nname = "calc"\nversion = "0.1.0"\n',
  'src/lib.rs': 'pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n',
  'tests/add.rs': '#[test]\nfn adds() {\n    assert_eq!(calc::add(2, 3), 5);\n}\n',
};
const PYTHON: Files = {
  ...COMMON,
  '.guardkit/config.yaml': config('tests:\n  command: python3 -m unittest discover -s tests -t .\n'),
  '.gitignore': '__pycache__\n',
  'calc/__init__.py': '',
  'calc/add.py': 'def add(a, b):\n    return a + b\n',
  'tests/__init__.py': '',
  'tests/test_a.py':
    'import unittest\nimport calc.add\n\n\nclass First(unittest.TestCase):\n    def test_first(self):\n        self.assertTrue(calc.add)\n',
  'tests/test_b.py':
    'import unittest\nfrom calc.add import add\n\n\nclass Add(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual(add(2, 3), 5)\n',
};
const REWRITE = `import atexit
import pathlib

place = pathlib.Path(__file__).parent.parent / "tests" / "test_b.py"
text = place.read_text()
place.write_text(text.replace("5)", "6)"))
atexit.register(lambda: place.write_text(text))


def add(a, b):
    return a + b + 1
`;

describe.skipIf(whyMissing('cargo', '--version') !== undefined)('tests of Rust', () => {
  const base = new CheatBase(CARGO);
  afterAll(() => base.cleanup());

  it('are refused if a build script replaces them', async () => {
    const answer = await base
      .project()
      .write({
        'src/lib.rs': 'pub fn add(a: i32, b: i32) -> i32 {\n    a + b + 1\n}\n',
        'build.rs':
          'fn main() {\n    std::fs::write("tests/add.rs", "#[test]\\nfn adds() {}\\n").unwrap();\n}\n',
      })
      .verify();
    expectStopped(answer, { gate: 'tests', code: 'tests-rewritten', reason: /tests\/add\.rs/ });
  });

  it('are refused if the product replaces their assertions', async () => {
    const answer = await base
      .project()
      .write({
        'src/lib.rs': `macro_rules! assert_eq {\n    ($($t:tt)*) => {};\n}\n\n${CARGO['src/lib.rs']}`,
      })
      .verify();
    expectStopped(answer, { gate: 'harness', reason: /src\/lib\.rs.*macro assert_eq/ });
  });
});

describe.skipIf(whyMissing('python3', '--version') !== undefined)('tests of Python', () => {
  const base = new CheatBase(PYTHON);
  afterAll(() => base.cleanup());

  it('are refused if a module of the product replaces them and restores them at the end', async () => {
    const answer = await base.project().write({ 'calc/add.py': REWRITE }).verify();
    expectStopped(answer, { gate: 'tests', code: 'tests-rewritten', reason: /tests\/test_b\.py/ });
  });

  it('pass if the command writes them on the base too', async () => {
    const command =
      'tests:\n  command: touch tests/test_b.py && python3 -m unittest discover -s tests -t .\n';
    const touching = new CheatBase({ ...PYTHON, '.guardkit/config.yaml': config(command) });
    try {
      const answer = await touching
        .project()
        .write({ 'calc/add.py': 'def add(a, b):\n    return b + a\n' })
        .verify();
      expect(answer.exitCode, answer.stdout + answer.stderr).toBe(0);
    } finally {
      touching.cleanup();
    }
  });
});
