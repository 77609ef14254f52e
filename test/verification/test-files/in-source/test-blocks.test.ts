import { expect, it } from 'vitest';
import {
  hidesTestBlocks,
  withTestBlocks,
} from '../../../../src/verification/test-files/in-source/test-blocks.ts';

const withTestModules = (code: string, tests: string) => withTestBlocks(code, tests, 'rust');
const tests = (body: string) => `#[cfg(test)]\nmod tests {\n    use super::*;\n\n${body}\n}\n`;
const ADDS = '    #[test]\n    fn adds() {\n        assert_eq!(add(1, 2), 3);\n    }';
const SUBS = '    #[test]\n    fn subs() {\n        assert_eq!(sub(3, 2), 1);\n    }';
const ADD = 'pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n';
const SUB = 'pub fn sub(a: i32, b: i32) -> i32 {\n    a - b\n}\n';

it('the base’s code gets the candidate’s test modules', () => {
  const spliced = withTestModules(`${ADD}\n${tests(ADDS)}`, `${ADD}\n${SUB}\n${tests(`${ADDS}\n\n${SUBS}`)}`);
  expect(spliced).toContain('fn subs()');
  expect(spliced).not.toContain('pub fn sub(');
  expect(spliced?.match(/fn adds\(\)/g)).toHaveLength(1);
});

it('a first test module is added to the base’s code', () => {
  const spliced = withTestModules(ADD, `${ADD}\n${tests(ADDS)}`);
  expect(spliced).toContain(ADD);
  expect(spliced).toContain('fn adds()');
});

it('brackets in strings and comments do not end a module', () => {
  const odd = tests(
    '    // }\n    const A: &str = "}}";\n    #[test]\n    fn adds() { assert_eq!(A, "}}"); }',
  );
  expect(withTestModules(ADD, `${ADD}\n${odd}\n${SUB}`)).not.toContain('pub fn sub(');
});

it('test functions outside of a module are replaced with what only they use', () => {
  const own = (result: number) =>
    `#[cfg(test)]\nuse std::vec;\n\n#[cfg(test)]\nstatic ROWS: &[(i32, i32)] = &[(1, ${result})];\n\n/// Adds.\n#[test]\n#[should_panic]\nfn adds() {\n    assert_eq!(add(1, 2), ${result});\n}\n`;
  const spliced = withTestModules(`${own(4)}${ADD}${SUB}`, `${ADD}${own(3)}`);
  expect(spliced).toContain(`${ADD}${SUB}`);
  expect(spliced).not.toContain('4');
  expect(spliced?.match(/fn adds|static ROWS|use std::vec|should_panic|\/\/\/ Adds/g)).toHaveLength(5);
  expect(withTestModules(`${own(3)}${ADD}${SUB}`, `${own(3)}${ADD}`)).toBeUndefined();
});

it.each([
  ['that tests do not have', '#[cfg(not(test))]\nfn only() -> i32 { 1 }\n'],
  ['that others have too', '#[cfg(any(test, feature = "std"))]\nfn only() -> i32 { 1 }\n'],
  ['in an implementation', 'impl A {\n    #[cfg(test)]\n    fn only() -> i32 { 1 }\n}\n'],
  ['with another attribute', '#[inline]\nfn only() -> i32 { 1 }\n'],
])('code %s is not a test block', (_what, code) => {
  const spliced = withTestModules(`${ADD}${code}`, `${ADD}${code.replace('1', '2')}${tests(ADDS)}`);
  expect(spliced).toContain(code);
  expect(withTestModules(ADD, code)).toBeUndefined();
});

it.each([
  ['without test modules', `${ADD}\n${SUB}`],
  ['with a module in another file', `${ADD}\n#[cfg(test)]\nmod tests;\n`],
  ['with other code on the same line', `${ADD}fn other() {} #[cfg(test)] mod tests { }\n`],
  ['that cannot be parsed', `${ADD}\n#[cfg(test)]\nmod tests {\n`],
])('a candidate %s is left alone', (_what, candidate) => {
  expect(withTestModules(ADD, candidate)).toBeUndefined();
});

it('a change outside of the test modules leaves nothing to add', () => {
  expect(withTestModules(`${ADD}\n${tests(ADDS)}`, `${ADD}\n${SUB}\n${tests(ADDS)}`)).toBeUndefined();
});

const VITEST =
  "if (import.meta.vitest) {\n  const { it, expect } = import.meta.vitest;\n  it('adds', () => expect(add(1, 2)).toBe(3));\n}\n";

it('the code gets the blocks for vitest of the other version', () => {
  const spliced = withTestBlocks(
    'export const add = (a, b) => a + b;\n',
    `export const add = (...all) => sum(all);\n\n${VITEST}`,
    'js',
  );
  expect(spliced).toContain('=> a + b');
  expect(spliced).not.toContain('sum(all)');
  expect(spliced).toContain("it('adds'");
});

it('a condition on vitest inside a function is not a test block', () => {
  const candidate = 'export const f = () => {\n  if (import.meta.vitest) {\n    return 1;\n  }\n};\n';
  expect(withTestBlocks('', candidate, 'js')).toBeUndefined();
});

it('a module in another file makes room for one with its name', () => {
  const candidate = `${ADD}\n#[cfg(test)]\nmod tests;\n\n#[cfg(test)]\nmod helpers;\n`;
  const spliced = withTestModules(candidate, `${ADD}\n${tests(ADDS)}`);
  expect(spliced).not.toContain('mod tests;');
  expect(spliced).toContain('mod helpers;');
  expect(spliced).toContain('fn adds()');
  expect(
    withTestModules(`${ADD}${SUB}\n#[cfg(test)]\nmod helpers;\n${tests(ADDS)}`, `${ADD}\n${tests(ADDS)}`),
  ).toBeUndefined();
});

it.each([
  ['after other code', `const a = 1; ${VITEST}`],
  ['before other code', `${VITEST.trimEnd()} const a = 1;\n`],
  ['with another branch', `${VITEST}else {\n}\n`],
  ['under a condition', `if (true)\n${VITEST}export const a = 1;\n`],
  ['in another branch', `if (false) {\n} else\n${VITEST}`],
  ['in a loop', `for (const a of [1])\n${VITEST}`],
  ['with a label', `a:\n${VITEST}`],
  ['that does not end', VITEST.slice(0, -2)],
])('a block %s cannot be replaced', (_where, candidate) => {
  expect(hidesTestBlocks(candidate, VITEST, 'js')).toBe(true);
  expect(withTestBlocks(candidate, VITEST, 'js')).toBeUndefined();
});

it.each([
  ['none', 'export const add = 1\n'],
  ['a changed one', `export const add = call()\n${VITEST.replace('3', '4')}`],
])('a file with %s hides no block', (_what, candidate) => {
  expect(hidesTestBlocks(candidate, VITEST, 'js')).toBe(false);
  expect(hidesTestBlocks(`const a = 1; ${VITEST}`, candidate, 'js')).toBe(candidate.includes('vitest'));
});
