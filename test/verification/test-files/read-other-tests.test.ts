import { describe, expect, it } from 'vitest';
import { readTestCases } from '../../../src/verification/test-files/read-test-cases.ts';

const short = (path: string, text: string) =>
  readTestCases(path, text).cases.map(({ name, kind, assertions }) => `${kind} ${name} ${assertions}`);
const go = (body: string) => short('a_test.go', `package a\n\nfunc TestA(t *testing.T) {\n${body}\n}\n`)[0];
const rust = (text: string) => short('src/lib.rs', text)[0];
const java = (text: string) => short('src/test/java/A.java', `class A {\n${text}\n}`)[0];

describe('Go tests', () => {
  it('are Test functions, methods of suites, and named subtests', () => {
    const text =
      'package a\n\nfunc helper(t *testing.T) { t.Fatal("x") }\nfunc Testing() {}\nfunc TestMain(m *testing.M) { os.Exit(m.Run()) }\nfunc TestA(t *testing.T) {\n\tt.Run("b", func(t *testing.T) {\n\t\tif got := f(\'\\\'\'); got != `x` {\n\t\t\tt.Errorf("got %v", got)\n\t\t}\n\t})\n\thelper(t)\n}\nfunc (s *Suite) TestC() { s.Equal(f(), 1) }\n';
    expect(short('a_test.go', text)).toEqual([
      'active TestA 2',
      'active TestA > b 1',
      'active Suite > TestC 1',
    ]);
  });

  it.each([
    ['t.Skip("x")\nt.Fatal()', 'skipped TestA 1'],
    ['t.Parallel()\nt.SkipNow()', 'skipped TestA 0'],
    ['if testing.Short() {\nt.Skip("x")\n}\nt.Fatal()', 'active TestA 1'],
    ['', 'empty TestA 0'],
    ['return\nt.Fatal()', 'empty TestA 0'],
    ['if true {\nreturn\n}\nt.Fatal()', 'empty TestA 0'],
    ['if false {\nt.Fatal()\n}', 'empty TestA 0'],
    ['assert.True(t, true)', 'active TestA 0'],
    ['assert.Equal(t, f(), 1)', 'active TestA 1'],
    ['checkIt(t, 1)', 'active TestA 1'],
  ])('with the body %j are %s', (body, expected) => {
    expect(go(body)).toBe(expected);
  });

  it('are examples whose output is compared', () => {
    const text =
      'package a\n\nfunc ExampleAdd() {\n\tfmt.Println(Add(1, 2))\n\t// Output: 3\n}\nfunc ExampleShown() {\n\tfmt.Println(1)\n}\nfunc ExampleSet_all() {\n\tprint()\n\n\t// Unordered output:\n\t// a\n\t// b\n}\nfunc Examples() {}\n';
    expect(short('example_test.go', text)).toEqual(['active ExampleAdd 1', 'active ExampleSet_all 1']);
  });

  it('do not run in a file that is not built', () => {
    expect(
      short('a_test.go', '//go:build ignore\n\npackage a\nfunc TestA(t *testing.T) { t.Fatal() }'),
    ).toEqual(['skipped TestA 1']);
  });
});

describe('Rust tests', () => {
  it('are also the examples in documentation, by the item that they document', () => {
    const text = `//! Calc.
//!
//! \`\`\`
//! assert_eq!(calc::add(1, 2), 3);
//! \`\`\`

/// Adds.
///
/// \`\`\`
/// calc::add(1, 2).unwrap();
/// \`\`\`
/// \`\`\`should_panic
/// calc::add(1, 0);
/// \`\`\`
/// \`\`\`text
/// 1 + 2
/// \`\`\`
#[inline]
pub fn add(a: i32, b: i32) -> Option<i32> { None }

impl Sum {
    /// \`\`\`rust,no_run
    /// assert!(run());
    /// \`\`\`
    pub async fn run() {}

    /// \`\`\`ignore
    /// assert!(false);
    /// \`\`\`
    fn left_out() {}
}
`;
    expect(short('src/lib.rs', text)).toEqual([
      'active module 1',
      'active add 1',
      'active add #2 1',
      'empty run 0',
      'skipped left_out 1',
    ]);
  });

  it('are read after attributes of the file', () => {
    const text = '#![allow(\n    clippy::a,\n    clippy::b\n)]\n\n#[test]\nfn a() { assert!(x); }\n';
    expect(readTestCases('tests/a.rs', text)).toMatchObject({ uncertain: false, cases: [{ name: 'a' }] });
  });

  it.each([
    [
      "#[cfg(test)]\nmod tests {\n  use super::*;\n  #[test]\n  fn a<'x>() { assert_eq!(f('\\''), r#\"\"}\"#); }\n}",
      'active tests > a 1',
    ],
    [
      '#[tokio::test(flavor = "multi_thread")]\nasync fn a() -> Result<(), E> { assert!(x); Ok(()) }',
      'active a 1',
    ],
    ['#[test]\n#[should_panic]\nfn a() { f(); }', 'active a 1'],
    ['#[test]\n#[ignore]\nfn a() { assert!(x); }', 'skipped a 1'],
    ['#[ignore = "x"]\n#[test]\npub fn a() { assert!(x); }', 'skipped a 1'],
    ['#[cfg(any())]\nmod tests { #[test] fn a() { assert!(x); } }', 'skipped tests > a 1'],
    ['#[test]\nfn a() { }', 'empty a 0'],
    ['#[test]\nfn a() { return; assert!(x); }', 'empty a 0'],
    ['#[test]\nfn a() { f(); assert!(true); assert_eq!(1, 1); }', 'active a 0'],
    ['fn same(x: u8) { assert!(x == 1) }\n#[test]\nfn a() { same(1); }', 'active a 1'],
    ['#[test_case(1)]\n#[test_case(2)]\nfn a(x: u8) { assert!(x > 0) }', 'active a 1'],
    ['/* /* */ #[test] fn no() {} */ #[test] fn a() { assert!(x) }', 'active a 1'],
  ])('%j', (text, expected) => {
    expect(rust(text)).toBe(expected);
  });

  it('are not functions without the attribute', () => {
    expect(rust('fn test_a() { assert!(x) }\n#[derive(Debug)]\nstruct A;\nfn b() {}')).toBeUndefined();
  });
});

describe('Java tests', () => {
  it.each([
    ['@Test\nvoid a() throws Exception { assertEquals(1, f()); }', 'active A > a 1'],
    ['@Test @Disabled("x")\nvoid a() { assertEquals(1, f()); }', 'skipped A > a 1'],
    ['@org.junit.Ignore @Test\npublic void a() { assertEquals(1, f()); }', 'skipped A > a 1'],
    ['@Test\nvoid a() { }', 'empty A > a 0'],
    ['@Test\nvoid a() { assertTrue(true); }', 'active A > a 0'],
    ['@Test\nvoid a() { try { assertTrue(f()); } catch (Throwable e) { } }', 'empty A > a 0'],
    ['@Test(expected = X.class)\npublic void a() { f(); }', 'active A > a 1'],
    ['@Nested\nclass B { @Test void a() { assertThat(f()).isTrue(); } }', 'active A > B > a 1'],
    ['@Test\nfun `a b`() { assertEquals(1, f()) }', 'active A > a b 1'],
  ])('%j', (text, expected) => {
    expect(java(text)).toBe(expected);
  });
});
