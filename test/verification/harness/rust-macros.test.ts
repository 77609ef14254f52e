import { describe, expect, it } from 'vitest';
import { replacedMacros } from '../../../src/verification/harness/rust-macros.ts';

const partsOf = (text: string) => replacedMacros(text).map(({ part }) => part);

describe('macros that replace the assertions of Rust', () => {
  it.each([
    ['a declaration', 'macro_rules! assert_eq {\n    ($($t:tt)*) => {};\n}', 'macro assert_eq'],
    ['another name for one', 'use crate::ignore as assert;', 'macro assert'],
    ['a panic that does nothing', 'macro_rules! panic { () => {} }', 'macro panic'],
  ])('are found: %s', (_, text, part) => {
    expect(partsOf(text)).toEqual([part]);
  });

  it.each([
    ['an assertion with another name', 'macro_rules! assert_same { () => {} }'],
    ['a common dependency', 'use pretty_assertions::assert_eq;'],
    ['a comment', '// macro_rules! assert_eq { }'],
    ['a text', 'const A: &str = "macro_rules! assert_eq { }";'],
  ])('are not: %s', (_, text) => {
    expect(partsOf(text)).toEqual([]);
  });
});
