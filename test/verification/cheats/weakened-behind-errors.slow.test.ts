import { afterAll, describe, expect, it } from 'vitest';
import { whyMissing } from '../../support/why-missing.ts';
import { CheatBase, config, type Files, task } from './cheat-project.ts';
import { expectStopped } from './expect-stopped.ts';

const COMMON: Files = {
  'tasks/TASK-001.md': task().replace('task_type: feature', 'task_type: refactor'),
  '.guardkit/config/quality-gates.yaml':
    'quality_gate_configs:\n  - {task_type: feature, complexity_range: [4, 6], coverage_required: false}\n',
};

/** Replaces each text, which has to occur. */
function edited(text: string, ...edits: readonly (readonly [from: string, to: string])[]): string {
  return edits.reduce((now, [from, to]) => {
    if (!now.includes(from)) throw new Error(`not in the file: ${from}`);
    return now.replaceAll(from, to);
  }, text);
}

const GO_CODE = `package calc

func Add(a, b int) int { return a + b }

func Twice(a int) int { return 2 * a }

func Setup(n int) error { return nil }

func inner(a int) int { return a + 1 }
`;
const GO_HELPER = `package calc

import "testing"

func same(t *testing.T, got, want int) {
	t.Helper()
	if got != want {
		t.Fatalf("got %d", got)
	}
}
`;
const GO_MAIN = `package calc

import (
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	if err := Setup(1); err != nil {
		os.Exit(1)
	}
	os.Exit(m.Run())
}
`;
const GO_TEST = `package calc

import "testing"

var rows = []struct{ a, b, want int }{
	{1, 2, 3},
	{2, 2, 4},
}

func TestRows(t *testing.T) {
	for _, row := range rows {
		same(t, Add(row.a, row.b), row.want)
	}
}

func TestAdd(t *testing.T) {
	same(t, Add(1, 2), 3)
}

func TestTwice(t *testing.T) {
	same(t, Twice(4), 8)
}
`;
const GO_EXTERNAL = `package calc_test

import (
	"testing"

	"example.com/calc"
)

func TestOutside(t *testing.T) {
	if calc.Twice(4) != 8 {
		t.Fatal()
	}
}

func TestInner(t *testing.T) {
	if calc.Inner(4) != 5 {
		t.Fatal()
	}
}
`;
const GO: Files = {
  ...COMMON,
  '.guardkit/config.yaml': config('tests:\n  command: go test ./...\n'),
  'go.mod': 'module example.com/calc\n\ngo 1.18\n',
  'add.go': GO_CODE,
  'add_test.go': GO_TEST,
  'helper_test.go': GO_HELPER,
  'main_test.go': GO_MAIN,
  'export_test.go': 'package calc\n\nvar Inner = inner\n',
  'x_test.go': GO_EXTERNAL,
};
const WRONG = ['return 2 * a', 'return 2*a + 1'] as const;
const ADAPTED = [
  ['Add(row.a, row.b)', 'Add(row.a, row.b, 0)'],
  ['Add(1, 2)', 'Add(1, 2, 0)'],
] as const;

const RUST_CODE = `pub fn add(a: i32, b: i32) -> i32 {
    a + b
}

pub fn twice(a: i32) -> i32 {
    2 * a
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(a: i32, b: i32, got: i32) {
        assert_eq!(add(a, b), a + b);
        assert_eq!(got, a * b);
    }

    #[test]
    fn doubles() {
        check(2, 4, twice(4));
    }

    #[test]
    fn adds() {
        assert_eq!(add(1, 2), 3);
    }
}
`;
const RUST: Files = {
  ...COMMON,
  '.guardkit/config.yaml': config('tests:\n  command: cargo test --offline\n'),
  '.gitignore': 'target\n',
  'Cargo.toml': '[package]\nname = "calc"\nversion = "0.1.0"\nedition = "2021"\n',
  'Cargo.lock': 'version = 3\n\n[[package]]\nname = "calc"\nversion = "0.1.0"\n',
  'src/lib.rs': RUST_CODE,
};

interface Case {
  name: string;
  files: Files;
  /** What the refusal names; none for an honest change. */
  refused?: RegExp;
}

const CASES: readonly {
  language: string;
  missing: string | undefined;
  base: Files;
  cases: readonly Case[];
}[] = [
  {
    language: 'Go',
    missing: whyMissing('go', 'version'),
    base: GO,
    cases: [
      {
        name: 'the product declares the name of a helper, so that the helper does not compile',
        files: {
          'add.go': `${edited(GO_CODE, WRONG)}\ntype tester interface{ Helper() }\n\nfunc same(_ tester, got, want int) {}\n`,
          'helper_test.go': edited(GO_HELPER, ['same(', 'equal(']),
          'add_test.go': edited(GO_TEST, ['same(', 'equal('], [', 8)', ', 9)']),
          'x_test.go': edited(GO_EXTERNAL, ['!= 8', '!= 9']),
        },
        refused: /^2 .*TestTwice.*TestOutside/,
      },
      {
        name: 'TestMain does not compile',
        files: {
          'add.go': edited(GO_CODE, WRONG, ['Setup(n int)', 'Setup(n, m int)']),
          'main_test.go': edited(GO_MAIN, ['Setup(1)', 'Setup(1, 2)']),
          'add_test.go': edited(GO_TEST, [', 8)', ', 9)']),
          'x_test.go': edited(GO_EXTERNAL, ['!= 8', '!= 9']),
        },
        refused: /^2 .*TestTwice.*TestOutside/,
      },
      {
        name: 'what the external tests see of the package does not compile',
        files: {
          'add.go': edited(GO_CODE, WRONG, ['func inner', 'func inside']),
          'export_test.go': 'package calc\n\nvar Inner = inside\n',
          'add_test.go': edited(GO_TEST, [', 8)', ', 9)']),
          'x_test.go': edited(GO_EXTERNAL, ['!= 8', '!= 9']),
        },
        refused: /^2 .*TestTwice.*TestOutside/,
      },
      {
        name: 'the weakened line itself does not compile, and a table',
        files: {
          'add.go': edited(GO_CODE, [
            'Add(a, b int) int { return a + b }',
            'Add(a, b, c int) int { return a - b + c }',
          ]),
          'add_test.go': edited(
            GO_TEST,
            ...ADAPTED,
            [', 0), 3)', ', 0), -1)'],
            ['2, 3}', '2, -1}'],
            ['2, 4}', '2, 0}'],
          ),
        },
        refused: /^2 .*TestRows.*TestAdd|^2 .*TestAdd.*TestRows/,
      },
      {
        name: 'an honest change adds a context, an error and a parameter to the set-up',
        files: {
          'add.go': edited(
            GO_CODE,
            ['package calc', 'package calc\n\nimport "context"'],
            [
              'Add(a, b int) int { return a + b }',
              'Add(ctx context.Context, a, b int) (int, error) { return a + b, ctx.Err() }',
            ],
            ['Setup(n int)', 'Setup(n, m int)'],
          ),
          'main_test.go': edited(GO_MAIN, ['Setup(1)', 'Setup(1, 2)']),
          'add_test.go': edited(
            GO_TEST,
            ['import "testing"', 'import (\n\t"context"\n\t"testing"\n)'],
            [
              '\tsame(t, Add(1, 2), 3)',
              '\tgot, err := Add(context.Background(), 1, 2)\n\tif err != nil {\n\t\tt.Fatal(err)\n\t}\n\tsame(t, got, 3)',
            ],
            [
              'same(t, Add(row.a, row.b), row.want)',
              'got, _ := Add(context.TODO(), row.a, row.b)\n\t\tsame(t, got, row.want)',
            ],
          ),
        },
      },
    ],
  },
  {
    language: 'Rust',
    missing: whyMissing('cargo', '--version'),
    base: RUST,
    cases: [
      {
        name: 'a helper does not compile, and the product declares its name, which the tests import',
        files: {
          'src/lib.rs': edited(
            RUST_CODE,
            ['b: i32) -> i32 {\n    a + b', 'b: i32, c: i32) -> i32 {\n    a + b + c'],
            ['    2 * a', '    2 * a + 1'],
            ['pub fn twice', '#[cfg(test)]\nfn check(_: i32, _: i32, _: i32) {}\n\npub fn twice'],
            ['add(a, b)', 'add(a, b, 0)'],
            ['add(1, 2)', 'add(1, 2, 0)'],
            ['got, a * b)', 'got, a * b + 1)'],
          ),
        },
        refused: /^1 .*doubles/,
      },
      {
        name: 'the weakened line itself does not compile',
        files: {
          'src/lib.rs': edited(
            RUST_CODE,
            ['b: i32) -> i32 {\n    a + b', 'b: i32, c: i32) -> i32 {\n    a - b + c'],
            ['assert_eq!(add(a, b), a + b);', 'assert_eq!(add(a, b, 0), a - b);'],
            ['assert_eq!(add(1, 2), 3)', 'assert_eq!(add(1, 2, 0), -1)'],
          ),
        },
        refused: /^2 .*(?:adds.*doubles|doubles.*adds)/,
      },
    ],
  },
];

for (const { language, missing, base: files, cases } of CASES)
  describe.skipIf(missing !== undefined)(
    `tests of ${language} behind code that does not compile with them${missing === undefined ? '' : ` (${missing})`}`,
    () => {
      const base = new CheatBase(files);
      afterAll(() => base.cleanup());

      it.each(cases.filter(({ refused }) => refused !== undefined))(
        'are compared: $name',
        async ({ files: change, refused = /./ }) => {
          expectStopped(await base.project().write(change).verify(), {
            gate: 'no-test-weakened',
            reason: refused,
          });
        },
      );

      it.each(cases.filter(({ refused }) => refused === undefined))(
        'pass: $name',
        async ({ files: change }) => {
          const answer = await base.project().write(change).verify();
          expect(answer.exitCode, answer.stdout + answer.stderr).toBe(0);
          expect(answer.gates.get('no-test-weakened')?.reason).toMatch(/cannot be compared$/);
        },
      );
    },
  );
