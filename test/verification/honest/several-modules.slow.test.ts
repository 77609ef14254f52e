import { afterAll, describe, expect, it } from 'vitest';
import { detectIn } from '../../../src/config/project/detect-verify.ts';
import type { VerifyConfig } from '../../../src/config/project/verify-config.ts';
import { whyMissing } from '../../support/why-missing.ts';
import { CheatBase, config, type Files, task } from '../cheats/cheat-project.ts';
import { expectStopped } from '../cheats/expect-stopped.ts';

const UNMEASURED: Files = {
  '.guardkit/config/quality-gates.yaml':
    'quality_gate_configs:\n  - {task_type: feature, complexity_range: [4, 6], coverage_required: false}\n',
};

const goTest = (name: string, call: string, want: string) =>
  `\nfunc Test${name}(t *testing.T) {\n\tif got := ${call}; got != ${want} {\n\t\tt.Fatal(got)\n\t}\n}\n`;
const goTests = (home: string, ...all: string[]) => `package ${home}\n\nimport "testing"\n${all.join('')}`;
const crate = (name: string) => `[package]\nname = "${name}"\nversion = "0.1.0"\nedition = "2021"\n`;
const lock = (name: string) => `version = 3\n\n[[package]]\nname = "${name}"\nversion = "0.1.0"\n`;
const rustTest = (name: string, call: string, want: string) =>
  `#[test]\nfn ${name}() {\n    assert_eq!(${call}, ${want});\n}\n`;

const jsTests = (...all: string[]) =>
  [
    "import assert from 'node:assert';\nimport { test } from 'node:test';\nimport * as all from './neg.js';\n",
    'const { neg, double } = all;\n',
    ...all.map((one) => {
      const [name, expression] = one.split(': ');
      return `test('${name}', () => assert.ok(${expression}));\n`;
    }),
  ].join('');

const DOUBLE = '\nfunc Double(a int) int {\n\treturn 2 * a\n}\n';

interface Language {
  name: string;
  missing: string | undefined;
  files: Files;
  /** In the second module. */
  change: Files;
  weakened: Files;
  named: RegExp;
  /** The coverage of Rust needs another program. */
  measured: boolean;
}

const LANGUAGES: readonly Language[] = [
  {
    name: 'Go modules',
    missing: whyMissing('go', 'version'),
    files: {
      'go.mod': 'module example.com/calc\n\ngo 1.18\n',
      'main.go': 'package calc\n\nfunc Add(a, b int) int { return a + b }\n',
      'main_test.go': goTests('calc', goTest('Add', 'Add(1, 2)', '3')),
      'extra/sum/go.mod': 'module example.com/sum\n\ngo 1.18\n',
      'extra/sum/main.go': 'package sum\n\nfunc Neg(a int) int {\n\treturn -a\n}\n',
      'extra/sum/main_test.go': goTests('sum', goTest('Neg', 'Neg(1)', '-1')),
    },
    change: {
      'extra/sum/main.go': `package sum\n\nfunc Neg(a int) int {\n\treturn -a\n}\n${DOUBLE}`,
      'extra/sum/main_test.go': goTests(
        'sum',
        goTest('Neg', 'Neg(1)', '-1'),
        goTest('Double', 'Double(2)', '4'),
      ),
    },
    weakened: {
      'main.go': 'package calc\n\nfunc Add(a, b, c int) int { return a + b + c }\n',
      'main_test.go': goTests('calc', goTest('Add', 'Add(1, 2, 0)', '3')),
      'extra/sum/main.go': `package sum\n\nfunc Neg(a int) int {\n\treturn a\n}\n${DOUBLE}`,
      'extra/sum/main_test.go': goTests(
        'sum',
        goTest('Neg', 'Neg(1)', '1'),
        goTest('Double', 'Double(2)', '4'),
      ),
    },
    named: /^1 .*extra\/sum\/main_test\.go > TestNeg/,
    measured: true,
  },
  {
    name: 'Rust crates',
    missing: whyMissing('cargo', '--version'),
    files: {
      '.gitignore': 'target\n',
      'one/Cargo.toml': crate('one'),
      'one/Cargo.lock': lock('one'),
      'one/src/lib.rs': 'pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n',
      'one/tests/all.rs': rustTest('adds', 'one::add(1, 2)', '3'),
      'two/Cargo.toml': crate('two'),
      'two/Cargo.lock': lock('two'),
      'two/src/lib.rs': 'pub fn neg(a: i32) -> i32 {\n    -a\n}\n',
      'two/tests/all.rs': rustTest('negates', 'two::neg(1)', '-1'),
    },
    change: {
      'two/src/lib.rs':
        'pub fn neg(a: i32) -> i32 {\n    -a\n}\n\npub fn double(a: i32) -> i32 {\n    2 * a\n}\n',
      'two/tests/all.rs':
        rustTest('negates', 'two::neg(1)', '-1') + rustTest('doubles', 'two::double(2)', '4'),
    },
    weakened: {
      'one/src/lib.rs': 'pub fn add(a: i32, b: i32, c: i32) -> i32 {\n    a + b + c\n}\n',
      'one/tests/all.rs': rustTest('adds', 'one::add(1, 2, 0)', '3'),
      'two/src/lib.rs':
        'pub fn neg(a: i32) -> i32 {\n    a\n}\n\npub fn double(a: i32) -> i32 {\n    2 * a\n}\n',
      'two/tests/all.rs':
        rustTest('negates', 'two::neg(1)', '1') + rustTest('doubles', 'two::double(2)', '4'),
    },
    named: /^1 .*two\/tests\/all\.rs .*negates/,
    measured: false,
  },
  {
    name: 'projects of Go and JavaScript',
    missing: whyMissing('go', 'version'),
    files: {
      'server/go.mod': 'module example.com/calc\n\ngo 1.18\n',
      'server/main.go': 'package calc\n\nfunc Add(a, b int) int { return a + b }\n',
      'server/main_test.go': goTests('calc', goTest('Add', 'Add(1, 2)', '3')),
      'web/package.json': '{"type": "module", "scripts": {"test": "node --test"}}',
      'web/neg.js': 'export const neg = (a) => -a;\n',
      'web/neg.test.js': jsTests('negates: neg(1) === -1'),
    },
    change: {
      'web/neg.js': 'export const neg = (a) => -a;\nexport const double = (a) => 2 * a;\n',
      'web/neg.test.js': jsTests('negates: neg(1) === -1', 'doubles: double(2) === 4'),
    },
    weakened: {
      'server/main.go': 'package calc\n\nfunc Add(a, b, c int) int { return a + b + c }\n',
      'server/main_test.go': goTests('calc', goTest('Add', 'Add(1, 2, 0)', '3')),
      'web/neg.js': 'export const neg = (a) => a;\nexport const double = (a) => 2 * a;\n',
      'web/neg.test.js': jsTests('negates: neg(1) === 1', 'doubles: double(2) === 4'),
    },
    named: /^1 .*web\/neg\.test\.js > negates/,
    measured: true,
  },
];

function proposalFor(files: Files): VerifyConfig | undefined {
  const text = (path: string) => files[path] ?? undefined;
  return detectIn({
    files: Object.keys(files),
    has: (path) => text(path) !== undefined,
    text,
    hasProgram: (name) => name !== 'cargo-llvm-cov',
    hasPythonModule: () => false,
  })?.verify;
}

for (const { name, missing, files, change, weakened, named, measured } of LANGUAGES)
  describe.skipIf(missing !== undefined)(
    `with the proposed command for several ${name}${missing === undefined ? '' : ` (${missing})`}`,
    () => {
      const { tests, coverage } = proposalFor(files) ?? {};
      const { command, report: reports } = coverage ?? {};
      const measuring = command === undefined ? '' : `  command: ${JSON.stringify(command)}\n`;
      const report = measured ? `coverage:\n${measuring}  report: ${JSON.stringify(reports)}\n` : '';
      const base = new CheatBase({
        ...files,
        'tasks/TASK-001.md': task(),
        '.guardkit/config.yaml': config(`tests:\n  command: ${JSON.stringify(tests?.command)}\n${report}`),
        ...(measured ? {} : UNMEASURED),
      });
      afterAll(() => base.cleanup());

      it('a change of the second passes, with its tests and coverage', async () => {
        const answer = await base.project().write(change).verify();
        expect(answer.exitCode, answer.stdout + answer.stderr).toBe(0);
        expect(answer.gates.get('harness')).toMatchObject({ result: 'pass' });
        if (measured) expect(answer.gates.get('coverage')?.reason).toMatch(/^100\.0% .*\(1\/1\)/);
      });

      it('a weakened test of the second is refused, even if the first does not compile with the tests of the base', async () => {
        expectStopped(await base.project().write(weakened).verify(), {
          gate: 'no-test-weakened',
          reason: named,
        });
      });
    },
  );
