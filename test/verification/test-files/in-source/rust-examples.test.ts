import { expect, it } from 'vitest';
import { withRustExamples } from '../../../../src/verification/test-files/in-source/rust-examples.ts';

const example = (code: string) => `/// Computes.\n///\n/// \`\`\`\n/// ${code}\n/// \`\`\`\n`;
const ADD = 'pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n';
const MUL = 'pub fn mul(a: i32, b: i32) -> i32 {\n    a * b\n}\n';

it('an item gets the other version’s examples and keeps its code', () => {
  const candidate = `${example('assert_eq!(calc::add(1, 2), 3);')}#[inline]\n${ADD.replace('a + b', 'b + a')}`;
  const spliced = withRustExamples(`use std::fmt;\n\n#[inline]\n${ADD}`, candidate);
  expect(spliced).toBe(`use std::fmt;\n\n#[inline]\n${example('assert_eq!(calc::add(1, 2), 3);')}${ADD}`);
});

it('the examples of a new item run without it', () => {
  const candidate = `${ADD}\n${example('assert_eq!(calc::mul(2, 3), 6);')}${MUL}`;
  const spliced = withRustExamples(ADD, candidate);
  expect(spliced).toContain('calc::mul(2, 3)');
  expect(spliced).toContain('mod mul {');
  expect(spliced).not.toContain('fn mul');
});

it('the documentation of a file is that of the other version, and that of a module inside it is not', () => {
  const docs = (code: string) => example(code).replaceAll('///', '//!');
  const spliced = withRustExamples(
    `${docs('one()')}${ADD}`,
    `${docs('two()')}${ADD}\nmod inside {\n    //! Inside.\n}\n`,
  );
  expect(spliced).toBe(`${docs('two()')}${ADD}`);
});

it.each([
  ['without examples', `/// Adds.\n${ADD}`],
  ['whose name is not unique', `${example('one()')}${ADD}\nmod a {\n    fn add() {}\n}\n`],
])('an item %s is left alone', (_what, candidate) => {
  expect(withRustExamples(ADD, candidate)).toBeUndefined();
});
