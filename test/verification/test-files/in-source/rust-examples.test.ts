import { expect, it } from 'vitest';
import {
  namedRustExamples,
  withRustExamples,
} from '../../../../src/verification/test-files/in-source/rust-examples.ts';

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
  expect(spliced).toMatch(/^mod other_version_[0-9a-f]+ \{\}$/m);
  expect(spliced).not.toContain('fn mul');
});

it.each([
  ['impl Sum {', 'Sum > of'],
  ['impl<T: Into<u8>> Sum<T> {', 'Sum<T> > of'],
  ['impl<T> Sum<T>\nwhere\n    T: Copy,\n{', 'Sum<T> > of'],
  ["unsafe impl<'a> From<&'a str> for crate::Sum {", 'crate > Sum > of'],
  ['pub trait Adds {', 'Adds > of'],
  ['pub(crate) mod sums {', 'sums > of'],
])('the examples of a new method run without it, under its name: %s', (header, name) => {
  const method = `${example('assert_eq!(calc::Sum.of(1), 1);')}pub fn of(&self) {}\n`.replace(
    /^(?=.)/gm,
    '    ',
  );
  const spliced = withRustExamples(ADD, `${ADD}\n${header}\n${method}}\n\n${MUL}`) ?? '';
  const module = /^mod (\w+) \{\}$/m.exec(spliced)?.[1] ?? '';
  const [, , plain, second] = namedRustExamples(
    [
      'a',
      'calc (doc) > src/lib.rs > mul',
      `calc (doc) > src/lib.rs > ${module}`,
      `calc (doc) > src/lib.rs > ${module} #2`,
    ].map((one) => ({ name: one, status: 'failed' })),
  ).map((one) => one.name);
  expect(plain).toBe(`calc (doc) > src/lib.rs > ${name}`);
  expect(second).toBe(`calc (doc) > src/lib.rs > ${name} #2`);
});

it.each([
  ['a name that is not one of a module', `${example('one()')}const _: () = ();\n`],
  ['an inner line among its documentation', `${example('one()')}//! Inner.\n/// More.\n${MUL}`],
  ['an attribute among its documentation', `${example('one()')}#[cfg(any())]\n/// More.\n${MUL}`],
])('nothing of a new item but its documentation gets into the code: %s', (_what, item) => {
  const spliced = withRustExamples(ADD, `${ADD}\n${item}`) ?? '';
  const added = spliced.slice(ADD.length).split('\n');
  expect(added.filter((line) => !/^(?:\/\/\/.*|mod other_version_[0-9a-f]+ \{\}|)$/.test(line))).toEqual([]);
});

it('attributes stay those of the code', () => {
  const candidate = `${example('two()')}#[cfg(any())]\n/// More.\n${ADD}`;
  const spliced = withRustExamples(`/// Adds.\n#[inline]\n/// It.\n${ADD}`, candidate);
  expect(spliced).toBe(`${example('two()')}/// More.\n#[inline]\n${ADD}`);
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
  ['whose name is not unique', `${example('one()')}${ADD}\n#[cfg(test)]\n${ADD}`],
])('an item %s is left alone', (_what, candidate) => {
  expect(withRustExamples(ADD, candidate)).toBeUndefined();
});

it('documentation of any length is added', () => {
  const long = `${'/// More.\n'.repeat(300_000)}${example('one()')}`;
  const spliced = withRustExamples(`${ADD}${example('two()')}${MUL}`, `${long}${ADD}`);
  expect(spliced).toBe(`${long}${ADD}${example('two()')}${MUL}`);
});
