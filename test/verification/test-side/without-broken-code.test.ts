import { describe, expect, it } from 'vitest';
import { withoutBrokenCode } from '../../../src/verification/test-side/without-broken-code.ts';

/** Removes the declarations with these marks. */
function without(files: Record<string, string>, ...marks: string[]) {
  const given = Object.entries(files).map(([path, text]) => ({ path, text }));
  const places = marks.map((mark) => {
    const file = given.find(({ text }) => text.includes(mark));
    const before = (file?.text ?? '').split(mark, 1)[0] ?? '';
    const rows = before.split('\n');
    return {
      file: file?.path ?? '',
      line: rows.length,
      column: (rows.at(-1)?.length ?? 0) + 1,
      message: mark,
    };
  });
  const remaining = withoutBrokenCode(given, places, { isOfTests: () => true });
  return {
    names: remaining?.removed.map(({ name }) => name),
    /** What is left of all files, without blank lines. */
    left: (remaining?.files ?? []).flatMap(({ text }) => text.split('\n').filter((row) => row.trim() !== '')),
    rows: remaining?.files.map(({ text }) => text.split('\n').length),
  };
}

const GO = `package calc

import (
	_ "example.com/drivers"
	"os"
	"testing"
)

var (
	first, second = 1, 2
	third         = func() int { return 3 }()
)

type fake struct{}

func (f *fake) Get() int { return get(1) }

type suite struct{}

func (s suite) TestMethod() { method() }

func init() { setUp(1) }

func TestMain(m *testing.M) { os.Exit(run(m)) }

func TestOne(t *testing.T) {
	one(t)
}

//go:embed data.txt
var data string

var _ = register(4)

func helper() { broken() }
`;

describe('code that does not compile is removed from Go', () => {
  it('by whole functions, and the numbers of other lines remain', () => {
    const { names, left, rows } = without({ 'a_test.go': GO }, 'one(t)', 'broken()');
    expect(names).toEqual(['TestOne', 'helper']);
    expect(left).toContain('//go:embed data.txt');
    expect(left.join('\n')).not.toMatch(/TestOne|helper/);
    expect(rows).toEqual([GO.split('\n').length]);
  });

  it('with all names of a group', () => {
    expect(without({ 'a_test.go': GO }, 'third').names).toEqual(['first', 'second', 'third']);
  });

  it('by single imports', () => {
    const { names, left } = without({ 'a_test.go': GO }, '"os"');
    expect(names).toEqual([]);
    expect(left.filter((row) => row.includes('"'))).toEqual(['\t_ "example.com/drivers"', '\t"testing"']);
  });

  it('together with the type of a method, which may be in another file', () => {
    const [before = '', after = ''] = GO.split('type fake struct{}');
    const files = { 'a_test.go': before + after, 'b_test.go': 'package calc\n\ntype fake struct{}\n' };
    expect(without(files, 'get(1)').names).toEqual(['fake', 'Get']);
  });

  it('without the suite of a test', () => {
    expect(without({ 'a_test.go': GO }, 'method()').names).toEqual(['TestMethod']);
  });

  it.each(['setUp(1)', 'run(m)', 'register(4)', 'example.com/drivers'])(
    'but not if other tests depend on it without naming it: %s',
    (mark) => {
      expect(without({ 'a_test.go': GO }, mark).names).toBeUndefined();
    },
  );

  it('but not from a file that cannot be parsed', () => {
    expect(without({ 'a_test.go': `${GO}\nfunc open() {` }, 'one(t)').names).toBeUndefined();
  });
});

const RUST = `#![allow(dead_code)]
//! About the file.
use calc::{add, gone, more::{twice}};
use calc::old;

mod common;

/// A counter.
struct Counter(i32);

impl<T: Into<i32>> Check<T> for Counter {
    fn check(&self) { checked(1) }
}

impl Drop for calc::Other {
    fn drop(&mut self) { dropped() }
}

const fn limit() -> i32 { limited() }

const _: () = assert!(always());

tests! { first: added(1), second: 2 }

mod inner {
    use super::*;

    /// Doubles.
    #[test]
    #[should_panic(expected = "{")]
    fn doubles() {
        double(4);
    }

    #[test]
    fn stays() {}
}

#[tokio::test]
async fn waits() { wait().await; }
`;

describe('code that does not compile is removed from Rust', () => {
  it('by whole functions with their attributes and documentation', () => {
    const { names, left, rows } = without({ 'tests/a.rs': RUST }, 'double(4)', 'wait()', 'limited()');
    expect(names).toEqual(['doubles', 'waits', 'limit']);
    expect(left.join('\n')).not.toMatch(/Doubles|should_panic|tokio|limit/);
    expect(left).toContain('    fn stays() {}');
    expect(left).toContain('#![allow(dead_code)]');
    expect(rows).toEqual([RUST.split('\n').length]);
  });

  it('by single names of an import', () => {
    const { left } = without({ 'tests/a.rs': RUST }, 'gone', 'old;');
    expect(left.filter((row) => row.startsWith('use'))).toEqual(['use calc::{add,       more::{twice}};']);
  });

  it('by the only name of an inner list', () => {
    const { left } = without({ 'tests/a.rs': RUST }, 'twice');
    expect(left.filter((row) => row.startsWith('use calc'))[0]).toMatch(
      /^use calc::{add, gone, more::{ +}};$/,
    );
  });

  it('together with the type of methods', () => {
    expect(without({ 'tests/a.rs': RUST }, 'checked(1)').names).toEqual(['Counter']);
  });

  it('with every test that a macro may declare', () => {
    expect(without({ 'tests/a.rs': RUST }, 'added(1)').names).toEqual(['tests', 'first', 'added', 'second']);
  });

  it('by modules in other files', () => {
    expect(without({ 'tests/a.rs': RUST }, 'mod common').names).toEqual(['common']);
  });

  it.each(['dropped()', 'always()'])('but not if other tests depend on it without naming it: %s', (mark) => {
    expect(without({ 'tests/a.rs': RUST }, mark).names).toBeUndefined();
  });

  it('only where the lines belong to tests', () => {
    const file = { path: 'src/lib.rs', text: RUST };
    const place = { file: 'src/lib.rs', line: 32, column: 1, message: '' };
    expect(withoutBrokenCode([file], [place], { isOfTests: () => false })).toBeUndefined();
  });
});

describe('a declaration that does not compile', () => {
  const place = (file: string, line: number, column: number, message = '') => ({
    file,
    line,
    column,
    message,
  });

  it('takes over what its new version has there, with the imports for it', () => {
    const before =
      'package calc\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\tcheck(Add(1), 3)\n}\n';
    const after =
      'package calc\n\nimport (\n\t"testing"\n\tctx "context"\n\t"unused"\n)\n\nfunc TestAdd(t *testing.T) {\n\tcheck(Add(ctx.TODO(), 1), 4)\n}\n';
    const remaining = withoutBrokenCode([{ path: 'a_test.go', text: before }], [place('a_test.go', 6, 11)], {
      isOfTests: () => true,
      nowOf: () => [{ path: 'b_test.go', text: after }],
    });
    expect(remaining?.removed).toEqual([]);
    expect(remaining?.files[0]?.text).toBe(
      'package calc\nimport ctx "context"\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\tcheck(Add(ctx.TODO(),1), 3)\n}\n',
    );
  });

  it.each([
    ['a method', 'fake does not implement Store (missing method Close)', 'func (f fake) Close() {}'],
    [
      'a method, with an older compiler',
      'fake does not implement Store (missing Close method)',
      'func (f fake) Close() {}',
    ],
    ['a helper', 'undefined: twice', 'func twice(a int) int { return log.Twice(a) }'],
  ])('gets %s that only its new version has', (_, message, added) => {
    const before =
      'package calc\n\nimport "log"\n\ntype fake struct{}\n\nfunc TestA(t *T) {\n\tread(fake{})\n}\n';
    const remaining = withoutBrokenCode(
      [{ path: 'a_test.go', text: before }],
      [place('a_test.go', 8, 7, message)],
      {
        isOfTests: () => true,
        nowOf: () => [{ path: 'a_test.go', text: `${before.replace('read', 'readAll')}\n${added}\n` }],
      },
    );
    expect(remaining).toEqual({ removed: [], files: [{ path: 'a_test.go', text: `${before}\n${added}\n` }] });
  });

  it('is compared with the one in the same module of Rust', () => {
    const text = (value: number) =>
      `mod a {\n    fn one() {\n        add(1, ${value});\n    }\n}\n\nmod b {\n    fn one() {\n        add(2, ${value});\n    }\n}\n`;
    const after = `fn one() {}\n\n${text(5).replace('add(2,', 'sum(2,')}`;
    const remaining = withoutBrokenCode(
      [{ path: 'tests/a.rs', text: text(4) }],
      [place('tests/a.rs', 9, 9)],
      {
        isOfTests: () => true,
        nowOf: () => [{ path: 'tests/a.rs', text: after }],
      },
    );
    expect(remaining?.files[0]?.text).toBe(text(4).replace('add(2,', 'sum(2,'));
  });

  it('is removed if it has no new version', () => {
    const files = [{ path: 'a_test.go', text: 'package a\n\nfunc TestA(t *T) {\n\ta()\n}\n' }];
    const remaining = withoutBrokenCode(files, [place('a_test.go', 4, 2)], {
      isOfTests: () => true,
      nowOf: () => [],
    });
    expect(remaining?.removed).toMatchObject([{ name: 'TestA' }]);
  });
});

it('a name that the product of a Go package declares too is renamed in its tests', () => {
  const files = [
    { path: 'a_test.go', text: 'package a\n\nfunc same(a, b int) {}\n' },
    { path: 'b_test.go', text: 'package a\n\nfunc TestB(t *T) {\n\tsame(x.same, "same")\n}\n' },
    { path: 'other/c_test.go', text: 'package c\n\nfunc TestC(t *T) { same() }\n' },
  ];
  const message = 'same redeclared in this block';
  const remaining = withoutBrokenCode(files, [{ file: 'a_test.go', line: 3, column: 6, message }], {
    isOfTests: () => true,
  });
  expect(remaining).toMatchObject({ removed: [], files: [{ path: 'a_test.go' }, { path: 'b_test.go' }] });
  expect(remaining?.files[1]?.text).toMatch(/\tsame_\w+\(x\.same, "same"\)/);
});

it('in Rust, the users of a removed helper go with it: a glob import could find another one', () => {
  const text =
    'use super::*;\n\nfn check() {\n    broken();\n}\n\n#[test]\nfn a() {\n    check();\n}\n\n#[test]\nfn b() {\n    super::check();\n}\n';
  const place = { file: 'tests/a.rs', line: 4, column: 5, message: '' };
  const remaining = withoutBrokenCode([{ path: 'tests/a.rs', text }], [place], { isOfTests: () => true });
  expect(remaining?.removed.map(({ name }) => name)).toEqual(['check', 'a']);
});
