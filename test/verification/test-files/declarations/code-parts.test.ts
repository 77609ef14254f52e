import { expect, it } from 'vitest';
import { codePartsOf, wordsOfPart } from '../../../../src/verification/test-files/declarations/code-parts.ts';

const partsOf = (path: string, text: string) =>
  codePartsOf(path, text).map(({ name, lines: [first, last] }) => `${name} ${first}-${last}`);

it('functions of JavaScript and Python have their lines', () => {
  expect(partsOf('a.ts', 'export function one() {\n  return 1;\n}\nexport const two = () => 2;\n')).toEqual([
    'one 1-3',
    'two 4-5',
  ]);
  expect(partsOf('a.js', 'exports.one = () => 1;\n')).toEqual(['one 1-2']);
  expect(partsOf('a.py', '@contextmanager\ndef raises(error):\n    yield\n')).toEqual(['raises 1-4']);
});

it('of the methods in a class, only those that compare values', () => {
  const python =
    'class Rate:\n    def half(self):\n        pass\n\n    def __eq__(self, other):\n        return (\n            True\n        )\n\n    @property\n    def no(self): ...\n';
  expect(partsOf('a.py', python)).toContain('Rate.__eq__ 5-8');
  expect(partsOf('a.py', python).join()).not.toContain('half');
  const go =
    'package a\n\nfunc (m *Money) Equal(o Money) bool {\n\treturn true\n}\n\nfunc (m Money) Add() {}\n\nfunc Same() {}\n';
  expect(partsOf('a.go', go)).toEqual(['Money.Equal 3-5', 'Same 9-9']);
});

it('in Rust macros and comparisons are among them', () => {
  const rust =
    'use a::b;\n\n#[macro_export]\nmacro_rules! assert_sum {\n    () => { assert!(true) };\n}\n\nimpl PartialEq for Money {\n    fn eq(&self, o: &Self) -> bool { true }\n}\n\nimpl Money {\n    fn new() {}\n}\n';
  expect(partsOf('src/a.rs', rust)).toEqual(['assert_sum 3-6', 'PartialEq for Money 8-10']);
});

it('other files have none', () => {
  expect(partsOf('a.md', 'function a() {}')).toEqual([]);
});

it('formatting does not change the words of a function', () => {
  const wordsOf = (text: string) => codePartsOf('a.py', text).map((part) => wordsOfPart('a.py', part));
  expect(wordsOf('def a(b):\n    return "c"  # why\n')).toEqual(
    wordsOf('def a(\n    b\n):\n    return "c"\n'),
  );
});
