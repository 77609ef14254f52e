import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { whyMissing } from '../../support/why-missing.ts';
import { CheatBase, config, type Files, task } from '../cheats/cheat-project.ts';

/** The node_modules of this package; a set-up that links them is free. */
const PACKAGES = realpathSync(fileURLToPath(new URL('../../../node_modules', import.meta.url)));
const has = (program: string, ...args: string[]) => whyMissing(program, ...args) === undefined;

interface Project {
  name: string;
  /** The program that this machine lacks. */
  missing: string;
  verify: string;
  base: Files;
  honest: Readonly<Record<string, Files>>;
  /** Refused changes, with the gate that refuses them. */
  cheats: Readonly<Record<string, { gate: string; files: Files }>>;
  /** Examples that expect something else: by them alone, nobody can tell whether that is intended. */
  doubtful?: Files;
}

const python = (name: string, example: string, body: string, parameters = 'a, b') =>
  `def ${name}(${parameters}):\n    """Computes.\n\n    >>> ${example.split('\n').join('\n    ')}\n    """\n    return ${body}\n`;
const PYTHON_ADD = python('add', 'add(1, 2)\n3', 'a + b');
const PYTHON_SUB = python('sub', 'sub(3, 2)\n1', 'a - b');
const PYTHON_NEGATIVE = python('negative', 'negative(3)\n-3', '-a', 'a');
const PYTHON_MUL = python('mul', 'mul(2, 3)\n6', 'a * b');

const rust = (name: string, example: string, body: string) =>
  `/// Computes.\n///\n/// \`\`\`\n/// ${example.split('\n').join('\n/// ')}\n/// \`\`\`\npub fn ${name}(a: i32, b: i32) -> i32 {\n    ${body}\n}\n`;
const RUST_ADD = rust('add', 'assert_eq!(calc::add(2, 3), 5);', 'a + b');

const RUST_SUM = (example: string) =>
  `${RUST_ADD}\npub struct Sum<T>(pub T);\n\nimpl<T: Copy> Sum<T> {\n${rust('of', example, 'a + b')
    .replace('fn of(', 'fn of(&self, ')
    .replace(/^(?=.)/gm, '    ')}}\n`;

const vitest = (code: string, ...tests: (readonly [name: string, assertion: string])[]) =>
  `${code}\nif (import.meta.vitest) {\n  const { it, expect } = import.meta.vitest;\n${tests
    .map(([name, assertion]) => `  it('${name}', () => {\n    ${assertion};\n  });\n`)
    .join('')}}\n`;
const JS_ADD = 'export const add = (a, b) => a + b;\n';
/** Enough to be recognized after a move. */
const JS_REST = Array.from({ length: 12 }, (_, at) => `export const number${at} = ${at};\n`).join('');
const ADDS = ['adds', 'expect(add(1, 2)).toBe(3)'] as const;

const PROJECTS: Project[] = [
  {
    name: 'examples in Python sources and documents',
    missing: has('python3', '-m', 'pytest', '--version') ? '' : 'pytest',
    verify: 'tests:\n  command: python3 -m pytest -q --doctest-modules --doctest-glob=*.rst\n',
    base: {
      '.gitignore': '__pycache__\n',
      'calc/__init__.py': '',
      'calc/add.py': PYTHON_ADD,
      'calc/sub.py': `${PYTHON_SUB}\n\n${PYTHON_NEGATIVE}`,
      'README.rst': 'Calc\n====\n\n>>> from calc.add import add\n>>> add(2, 2)\n4\n',
      'tests/test_other.py': 'def test_other():\n    assert 1 + 1 == 2\n',
    },
    honest: {
      'a new module with examples': { 'calc/mul.py': python('mul', 'mul(2, 3)\n6', 'a * b') },
      'a moved module with another example': {
        'calc/sub.py': null,
        'calc/numbers/__init__.py': '',
        'calc/numbers/minus.py': `${PYTHON_SUB}\n\n${PYTHON_NEGATIVE}\n\n${PYTHON_MUL}`,
      },
      'a function that moved to another module with its example, and a new one': {
        'calc/sub.py': PYTHON_SUB,
        'calc/add.py': `${PYTHON_ADD}\n\n${PYTHON_NEGATIVE}\n\n${PYTHON_MUL}`,
      },
      'a moved module, its example in a changed document, and a changed test': {
        'calc/add.py': null,
        'calc/sum.py': python('add', 'add(1, 2)\n3', 'sum(all)', '*all'),
        'README.rst': 'Calc\n====\n\n>>> from calc.sum import add\n>>> add(2, 2)\n4\n',
        'tests/test_other.py':
          'from calc.sum import add\n\n\ndef test_other():\n    assert 1 + 1 == 2\n\n\ndef test_add():\n    assert add(1, 2, 3) == 6\n',
      },
      'a method with an example': {
        'calc/add.py': `${PYTHON_ADD}\n\nclass Sum:\n    """Adds."""\n\n${python('of', 'Sum().of([1, 2])\n3', 'sum(all)', 'self, all').replace(/^(?=.)/gm, '    ')}`,
      },
      'an extended example': {
        'calc/add.py': python('add', 'add(1, 2)\n3\n>>> add(1, 2, 3)\n6', 'sum(all)', '*all'),
      },
      'an example in a document': {
        'calc/add.py': python('add', 'add(1, 2)\n3', 'sum(all)', '*all'),
        'README.rst': 'Calc\n====\n\n>>> from calc.add import add\n>>> add(2, 2)\n4\n>>> add(1, 2, 3)\n6\n',
      },
    },
    cheats: {
      'an example that does not use the new code': {
        gate: 'new-tests-bite',
        files: { 'calc/mul.py': python('mul', '1 + 1\n2', 'a + b') },
      },
      'a moved module with the same examples': {
        gate: 'new-tests-bite',
        files: {
          'calc/sub.py': null,
          'calc/minus.py': `${PYTHON_SUB}\n\n${PYTHON_NEGATIVE}\n\ndef mul(a, b):\n    return a + b\n`,
        },
      },
      'a moved module without one of its examples': {
        gate: 'no-test-lost',
        files: {
          'calc/sub.py': null,
          'calc/minus.py': `${PYTHON_SUB}\n\ndef negative(a):\n    """Computes."""\n    return a\n\n\n${PYTHON_MUL}`,
        },
      },
      'an example that expects nothing': {
        gate: 'new-tests-bite',
        files: { 'calc/mul.py': python('mul', '_ = mul(2, 3)', 'a + b') },
      },
    },
    doubtful: {
      'calc/add.py': python('add', 'add(1, 2)\n4', 'a + b + 1'),
      'README.rst': 'Calc\n====\n\n>>> from calc.add import add\n>>> add(2, 2)\n5\n',
    },
  },
  {
    name: 'examples in Rust documentation',
    missing: has('cargo', '--version') ? '' : 'cargo',
    verify: 'tests:\n  command: cargo test --offline\n',
    base: {
      'Cargo.toml': '[package]\nname = "calc"\nversion = "0.1.0"\nedition = "2021"\n',
      'Cargo.lock': 'version = 3\n\n[[package]]\nname = "calc"\nversion = "0.1.0"\n',
      '.gitignore': 'target\n',
      'src/lib.rs': RUST_ADD,
      'tests/add.rs': '#[test]\nfn adds() {\n    assert_eq!(calc::add(0, 0), 0);\n}\n',
    },
    honest: {
      'a new function with an example': {
        'src/lib.rs': `${RUST_ADD}\n${rust('mul', 'assert_eq!(calc::mul(2, 3), 6);', 'a * b')}`,
      },
      'a new method with an example': {
        'src/lib.rs': RUST_SUM('assert_eq!(calc::Sum(0).of(2, 3), 5);'),
      },
      'an extended example': {
        'src/lib.rs': rust(
          'add',
          'assert_eq!(calc::add(2, 3), 5);\nassert_eq!(calc::add(i32::MAX, 1), i32::MAX);',
          'a.saturating_add(b)',
        ),
      },
    },
    cheats: {
      'an example of a new method that does not use the new code': {
        gate: 'new-tests-bite',
        files: { 'src/lib.rs': RUST_SUM('assert_eq!(2 + 3, 5);') },
      },
      'a documented item whose name stops the code from compiling': {
        gate: 'new-tests-bite',
        files: {
          'src/lib.rs': `${RUST_ADD}\n/// \`\`\`\n/// assert_eq!(2 * 3, 6);\n/// \`\`\`\nconst _: () = ();\n`,
          'tests/mul.rs': '#[test]\nfn multiplies() {\n    assert_eq!(2 * 3, 6);\n}\n',
        },
      },
      'an example that does not use the new code': {
        gate: 'new-tests-bite',
        files: { 'src/lib.rs': `${RUST_ADD}\n${rust('mul', 'assert_eq!(2 * 3, 6);', 'a + b')}` },
      },
    },
    doubtful: {
      'src/lib.rs': rust('add', 'assert_eq!(calc::add(2, 3), 6);', 'if a + b == 0 { 0 } else { a + b + 1 }'),
    },
  },
  {
    name: 'tests in sources with vitest',
    missing: '',
    verify: `setup: mkdir node_modules && ln -s "${PACKAGES}"/* "${PACKAGES}"/.bin node_modules/\ntests:\n  command: node_modules/.bin/vitest run\n`,
    base: {
      '.gitignore': 'node_modules\n',
      'package.json': '{ "type": "module", "devDependencies": { "vitest": "4" } }\n',
      'vitest.config.js': "export default { test: { includeSource: ['src/**/*.js'] } };\n",
      'src/add.js': vitest(JS_ADD + JS_REST, ADDS),
      'test/other.test.js':
        "import { expect, it } from 'vitest';\nit('other', () => expect(1 + 1).toBe(2));\n",
    },
    honest: {
      'a new module with tests': {
        'src/mul.js': vitest('export const mul = (a, b) => a * b;\n', [
          'multiplies',
          'expect(mul(2, 3)).toBe(6)',
        ]),
      },
      'a moved module with another test': {
        'src/add.js': null,
        'src/sum.js': vitest(
          JS_ADD.replace('(a, b) => a + b', '(a, b, c = 0) => a + b + c') + JS_REST,
          ADDS,
          ['adds three', 'expect(add(1, 2, 3)).toBe(6)'],
        ),
      },
      'another test': {
        'src/add.js': vitest('export const add = (...all) => all.reduce((a, b) => a + b, 0);\n', ADDS, [
          'adds many',
          'expect(add(1, 2, 3)).toBe(6)',
        ]),
      },
    },
    cheats: {
      'a test that does not use the new code': {
        gate: 'new-tests-bite',
        files: {
          'src/mul.js': vitest('export const mul = (a, b) => a + b;\n', ['works', 'expect(6).toBe(6)']),
        },
      },
      'a test that asserts nothing': {
        gate: 'new-tests-bite',
        files: { 'src/mul.js': vitest('export const mul = (a, b) => a + b;\n', ['works', 'mul(2, 3)']) },
      },
      'a test with another expectation, on a line with other code': {
        gate: 'no-test-lost',
        files: {
          'src/add.js': `${vitest('export const add = (a, b) => a + b + 1;\n', [
            'adds',
            'expect(add(1, 2)).toBe(4)',
          ]).trimEnd()} export const more = 1;\n`,
        },
      },
      'a moved test with another expectation': {
        gate: 'no-test-weakened',
        files: {
          'src/add.js': null,
          'src/sum.js': vitest(JS_ADD.replace('a + b', 'a + b + 1') + JS_REST, [
            'adds',
            'expect(add(1, 2)).toBe(4)',
          ]),
        },
      },
      'a test with another expectation': {
        gate: 'no-test-weakened',
        files: {
          'src/add.js': vitest('export const add = (a, b) => a + b + 1;\n', [
            'adds',
            'expect(add(1, 2)).toBe(4)',
          ]),
        },
      },
    },
  },
];

const bases: CheatBase[] = [];
afterAll(() => {
  for (const base of bases) base.cleanup();
});

describe.each(PROJECTS)('$name', ({ missing, verify, base, honest, cheats, doubtful }) => {
  const because = missing === '' ? '' : ` (SKIPPED: ${missing} is not installed here)`;
  let made: CheatBase | undefined;
  const project = () => {
    made ??= new CheatBase({
      ...base,
      'tasks/TASK-001.md': task(),
      '.guardkit/config.yaml': config(verify),
      '.guardkit/config/quality-gates.yaml':
        'quality_gate_configs:\n  - {task_type: feature, complexity_range: [4, 6], coverage_required: false}\n',
    });
    if (!bases.includes(made)) bases.push(made);
    return made.project();
  };

  it.skipIf(missing !== '').each(Object.entries(honest))(`%s passes${because}`, async (_name, files) => {
    const answer = await project().write(files).verify();
    expect(answer.exitCode, answer.stdout + answer.stderr).toBe(0);
    expect(answer.gates.get('new-tests-bite')).toMatchObject({ result: 'pass' });
  });

  it.skipIf(missing !== '').each(Object.entries(cheats))(
    `%s is refused${because}`,
    async (_name, { gate, files }) => {
      const answer = await project().write(files).verify();
      expect(answer.exitCode, answer.stdout + answer.stderr).toBe(1);
      expect(answer.gates.get('tests')).toMatchObject({ result: 'pass' });
      expect(answer.gates.get(gate)?.result).toMatch(/^(?:fail|absent)$/);
      expect(answer.gates.get(gate)).toMatchObject({ required: true });
    },
  );

  it.skipIf(missing !== '' || doubtful === undefined)(
    `examples with another expectation are shown${because}`,
    async () => {
      const files = doubtful ?? {};
      const answer = await project().write(files).verify();
      expect(answer.exitCode, answer.stdout + answer.stderr).toBe(0);
      const shown = answer.gates.get('no-test-lost')?.warnings?.join('\n');
      for (const file of Object.keys(files)) expect(shown).toContain(file);
    },
  );
});
