import { expect, it } from 'vitest';
import { compareTestFiles } from '../../../src/verification/test-files/compare-test-files.ts';

const lost = (path: string, before: string, after: string) =>
  compareTestFiles([{ path, text: before }], [{ path, text: after }]).filter(
    ({ severity }) => severity === 'fail',
  );

const python = (body: string, helper = '') => `def test_sum():\n    ${body}\n${helper}`;
const js = (body: string, helper = '') => `test('sums', () => {\n  ${body}\n});\n${helper}`;
const go = (body: string, helper = '') =>
  `package a\n\nimport "testing"\n\nfunc TestSum(t *testing.T) {\n\t${body}\n}\n${helper}`;
const rust = (body: string, helper = '') => `#[test]\nfn sums() {\n    ${body}\n}\n${helper}`;

it('a new function that is only called like an assertion is none', () => {
  const def = '\n\ndef assert_sum(actual, expected):\n    return actual == expected\n';
  expect(lost('test_a.py', python('assert add(1) == 2'), python('assert_sum(add(1), 2)', def))).toHaveLength(
    1,
  );
  const decorated = `${python('assert_sum(add(1), 2)')}\n@mark.rows("a", [1])\ndef test_row(a):\n    assert a\n${def}`;
  const row = `${python('assert add(1) == 2')}\n@mark.rows("a", [1])\ndef test_row(a):\n    assert a\n`;
  expect(lost('test_a.py', row, decorated)).toHaveLength(1);
  const fn = 'function assertSum(a, b) {\n  return String(a) === String(b);\n}\n';
  expect(lost('a.test.js', js('expect(add(1)).toBe(2);'), js('assertSum(add(1), 2);', fn))).toHaveLength(1);
  const func = '\nfunc assertSum(t *testing.T, a, b int) bool {\n\tt.Helper()\n\treturn a == b\n}\n';
  expect(
    lost('a_test.go', go('if add(1) != 2 {\n\t\tt.Fatal()\n\t}'), go('assertSum(t, add(1), 2)', func)),
  ).toHaveLength(1);
  const own = '\nfn assert_sum(a: i32, b: i32) -> bool {\n    a == b\n}\n';
  expect(
    lost('tests/a.rs', rust('assert_eq!(add(1), 2);'), rust('assert_sum(add(1), 2);', own)),
  ).toHaveLength(1);
});

it('a new helper that asserts, or calls something that may, is one', () => {
  const def = '\n\ndef assert_sum(a, b):\n    compare(a, b)\n';
  expect(lost('test_a.py', python('assert add(1) == 2'), python('assert_sum(add(1), 2)', def))).toEqual([]);
  const fn = "const assertSum = (a, b) => {\n  if (a !== b) throw new Error('no');\n};\n";
  expect(lost('a.test.js', js('expect(add(1)).toBe(2);'), js('assertSum(add(1), 2);', fn))).toEqual([]);
  const func = '\nfunc assertSum(t *testing.T, a, b int) {\n\tif a != b {\n\t\tt.Errorf("%d", a)\n\t}\n}\n';
  expect(
    lost('a_test.go', go('if add(1) != 2 {\n\t\tt.Fatal()\n\t}'), go('assertSum(t, add(1), 2)', func)),
  ).toEqual([]);
  const own = '\nfn assert_sum(a: i32, b: i32) {\n    assert_eq!(a, b);\n}\n';
  expect(lost('tests/a.rs', rust('assert_eq!(add(1), 2);'), rust('assert_sum(add(1), 2);', own))).toEqual([]);
});

it('a function that only answers may be asserted', () => {
  const def = '\n\ndef check_sum(a, b):\n    return a == b\n';
  expect(lost('test_a.py', python('assert add(1) == 2'), python('assert check_sum(add(1), 2)', def))).toEqual(
    [],
  );
  const fn = 'const checkSum = (a, b) => a === b;\n';
  expect(
    lost('a.test.js', js('expect(add(1)).toBe(2);'), js('expect(checkSum(add(1), 2)).toBe(true);', fn)),
  ).toEqual([]);
});

it('a call of an imported assertion that a Rust test loses is noticed', () => {
  expect(lost('tests/a.rs', rust('assert_cents(&add(1), 2);'), rust('let _ = add(1);'))).toHaveLength(1);
});
