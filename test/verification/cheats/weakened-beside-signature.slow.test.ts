import { afterAll, describe, expect, it } from 'vitest';
import { whyMissing } from '../../support/why-missing.ts';
import { CheatBase, config, type Files, task } from './cheat-project.ts';
import { expectStopped } from './expect-stopped.ts';

const COMMON: Files = {
  'tasks/TASK-001.md': task().replace('task_type: feature', 'task_type: refactor'),
  '.guardkit/config/quality-gates.yaml':
    'quality_gate_configs:\n  - {task_type: feature, complexity_range: [4, 6], coverage_required: false}\n',
};

interface Language {
  name: string;
  missing: string | undefined;
  base: Files;
  /** An honest change of a function's parameters, and further changes that weaken other tests. */
  honest: Readonly<Record<string, Files>>;
  cheats: Readonly<Record<string, Files>>;
  weakened: RegExp;
}

const GO_CODE = `package calc

import "strings"

func Add(a, b int) int { return a + b }

func Twice(a int) int { return 2 * a }

func Join(parts []string) string { return strings.Join(parts, "-") }
`;
const GO_TEST = `package calc

import (
	"strings"
	"testing"
)

var names = []string{"a", "b"}

// checkSum also has a comment.
func checkSum(t *testing.T, a, b, want int) {
	t.Helper()
	if got := Add(a, b); got != want {
		t.Fatalf("got %d", got)
	}
}

func TestJoin(t *testing.T) {
	if got := Join(names); strings.ToUpper(got) != "A-B" {
		t.Fatal(got)
	}
}

func TestAdd(t *testing.T) {
	for _, want := range []int{3} {
		t.Run("small", func(t *testing.T) { checkSum(t, 1, 2, want) })
	}
}

func TestTwice(t *testing.T) {
	if got := Twice(4); got != 8 {
		t.Fatal(got)
	}
}
`;
/** Every function is called with its new parameters; the compiler reports ten errors at once. */
const MANY_CALLS = `package calc

import "testing"

${Array.from({ length: 8 }, (_, at) => `func TestMany${at}(t *testing.T) {\n\t_ = Add(1, 1)\n\t_ = Add(2, 2)\n\t_ = Add(3, 3)\n}\n`).join('\n')}`;
const GO_SIGNATURE: Files = {
  'add.go': GO_CODE.replace('a, b int) int { return a + b }', 'a, b, c int) int { return a + b + c }'),
  'add_test.go': GO_TEST.replace('Add(a, b)', 'Add(a, b, 0)'),
  'many_test.go': MANY_CALLS.replace(/Add\((\d, \d)\)/g, 'Add($1, 0)'),
};
const GO_REMOVED: Files = {
  'add.go': GO_CODE.replace(/import "strings"\n\n|func Join[^\n]*\n/g, ''),
  'add_test.go': GO_TEST.replace(/func TestJoin[\s\S]*?\n}\n\n|\t"strings"\n|var names.*\n\n/g, ''),
};
const wrongGo = (files: Files): Files => ({
  ...files,
  'add.go': String(files['add.go']).replace('return 2 * a', 'return 2*a + 1'),
  'add_test.go': String(files['add_test.go']).replace('got != 8', 'got < 8'),
});

const RUST_CODE = `pub fn add(a: i32, b: i32) -> i32 {
    a + b
}

pub fn twice(a: i32) -> i32 {
    2 * a
}

pub fn half(a: i32) -> i32 {
    a / 2
}

#[cfg(test)]
mod tests {
    use super::{add, twice};

    #[test]
    fn adds_inside() {
        assert_eq!(add(1, 2), 3);
    }

    #[test]
    fn twice_inside() {
        assert_eq!(twice(4), 8);
    }
}
`;
const RUST_TEST = `use calc::{add, half, twice};

mod common;

/// Documentation of a helper.
fn sum_of(a: i32, b: i32) -> i32 {
    add(a, b)
}

#[test]
fn halves() {
    assert_eq!(half(8), 4);
}

#[test]
fn adds() {
    assert_eq!(sum_of(2, 3), 5);
}

mod inner {
    use super::*;

    #[test]
    fn doubles() {
        common::same(twice(4), 8);
    }
}

/// Documentation of a test.
#[test]
fn adds_again() {
    common::same(common::total(2, 3), 5);
}
`;
const RUST_COMMON = `pub fn same(a: i32, b: i32) {
    assert_eq!(a, b);
}

pub fn total(a: i32, b: i32) -> i32 {
    calc::add(a, b)
}
`;
const RUST_SIGNATURE: Files = {
  'src/lib.rs': RUST_CODE.replace(
    'b: i32) -> i32 {\n    a + b',
    'b: i32, c: i32) -> i32 {\n    a + b + c',
  ).replace('add(1, 2)', 'add(1, 2, 0)'),
  'tests/calc.rs': RUST_TEST.replace('add(a, b)', 'add(a, b, 0)'),
  'tests/common/mod.rs': RUST_COMMON.replace('add(a, b)', 'add(a, b, 0)'),
};
const RUST_REMOVED: Files = {
  'src/lib.rs': RUST_CODE.replace(/pub fn half[\s\S]*?\n}\n\n/, ''),
  'tests/calc.rs': RUST_TEST.replace(/#\[test\]\nfn halves[\s\S]*?\n}\n\n/, '').replace('half, ', ''),
};
const wrongRust = (files: Files): Files => ({
  ...files,
  'src/lib.rs': String(files['src/lib.rs'])
    .replace('2 * a', '2 * a + 1')
    .replace('twice(4), 8', 'twice(4), 9'),
  'tests/calc.rs': String(files['tests/calc.rs']).replace('same(twice(4), 8)', 'same(twice(4), 9)'),
});

const LANGUAGES: readonly Language[] = [
  {
    name: 'Go',
    missing: whyMissing('go', 'version'),
    base: {
      ...COMMON,
      '.guardkit/config.yaml': config('tests:\n  command: go test ./...\n'),
      'go.mod': 'module example.com/calc\n\ngo 1.18\n',
      'add.go': GO_CODE,
      'add_test.go': GO_TEST,
      'many_test.go': MANY_CALLS,
    },
    honest: { 'another parameter': GO_SIGNATURE, 'a removed function': GO_REMOVED },
    cheats: {
      'beside another parameter': wrongGo(GO_SIGNATURE),
      'beside a removed function': wrongGo(GO_REMOVED),
    },
    weakened: /^1 .*TestTwice/,
  },
  {
    name: 'Rust',
    missing: whyMissing('cargo', '--version'),
    base: {
      ...COMMON,
      '.guardkit/config.yaml': config('tests:\n  command: cargo test --offline\n'),
      '.gitignore': 'target\n',
      'Cargo.toml': '[package]\nname = "calc"\nversion = "0.1.0"\nedition = "2021"\n',
      'Cargo.lock': 'version = 3\n\n[[package]]\nname = "calc"\nversion = "0.1.0"\n',
      'src/lib.rs': RUST_CODE,
      'tests/calc.rs': RUST_TEST,
      'tests/common/mod.rs': RUST_COMMON,
    },
    honest: { 'another parameter': RUST_SIGNATURE, 'a removed function': RUST_REMOVED },
    cheats: {
      'beside another parameter': wrongRust(RUST_SIGNATURE),
      'beside a removed function': wrongRust(RUST_REMOVED),
    },
    weakened: /^2 .*(?:twice_inside.*doubles|doubles.*twice_inside)/,
  },
];

for (const { name, missing, base: files, honest, cheats, weakened } of LANGUAGES)
  describe.skipIf(missing !== undefined)(
    `a test of ${name} whose file has others that do not compile in their base version${missing === undefined ? '' : ` (${missing})`}`,
    () => {
      const base = new CheatBase(files);
      afterAll(() => base.cleanup());

      it.each(Object.entries(cheats))('is refused if it is weakened: %s', async (_, change) => {
        expectStopped(await base.project().write(change).verify(), {
          gate: 'no-test-weakened',
          reason: weakened,
        });
      });

      it.each(Object.entries(honest))('passes if it is unaltered: %s', async (_, change) => {
        const project = base.project().write(change);
        const first = await project.verify();
        const judged = first.gates.get('no-test-weakened');
        expect(judged, first.stdout).toMatchObject({ result: 'pass' });
        expect(judged?.reason).not.toMatch(/^0 of/);
        const again = await project.verify();
        const { reason, warnings } = judged ?? {};
        expect(again.gates.get('no-test-weakened')).toMatchObject({ result: 'pass', reason, warnings });
      });
    },
  );
