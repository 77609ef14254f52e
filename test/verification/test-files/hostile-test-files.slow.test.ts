import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareTestFiles } from '../../../src/verification/test-files/compare-test-files.ts';
import { readTestCases } from '../../../src/verification/test-files/read-test-cases.ts';
import { ANY_CHARACTER } from '../../support/any-character.ts';
import { runs } from '../../support/thorough.ts';

const PATHS = ['a.test.ts', 'a.test.tsx', 'test_a.py', 'a_test.go', 'tests/a.rs', 'src/test/java/A.java'];
const PIECES = [
  ...'(){}[]<>\'"`/\\;:,.=#@!$&|*+-?\n\t ',
  "it('a', () => {",
  'describe.only(`x`, function () {',
  'it.each`',
  '${',
  '})',
  'expect(x).toBe(1)',
  'return',
  'if (false) {',
  'try {',
  '} catch {',
  '<a>',
  '</a>',
  '/* ',
  '*/',
  '//',
  '"""',
  'def test_a():\n    ',
  'class A:\n  ',
  '@pytest.mark.parametrize("a", [',
  'assert ',
  'func TestA(t *testing.T) {',
  't.Run("x", func(t) {',
  '#[test]\nfn a() {',
  'r#"',
  'mod x {',
  '@Test void a() {',
  '__proto__',
  'constructor',
];

it('any text at all is read without an error', () => {
  const text = fc.oneof(
    fc.string({ unit: ANY_CHARACTER, maxLength: 200 }),
    fc.array(fc.constantFrom(...PIECES), { maxLength: 120 }).map((pieces) => pieces.join('')),
  );
  fc.assert(
    fc.property(fc.constantFrom(...PATHS), text, text, (path, base, candidate) => {
      for (const one of readTestCases(path, base).cases) expect(one.assertions).toBeGreaterThanOrEqual(0);
      compareTestFiles([{ path, text: base }], [{ path, text: candidate }]);
      expect(
        compareTestFiles([{ path, text: base }], [{ path, text: base }]).filter(
          ({ severity }) => severity === 'fail',
        ),
      ).toEqual([]);
    }),
    { numRuns: runs(400) },
  );
});

const JS = ['a.test.tsx'];
const PYTHON = ['test_a.py'];
const OTHERS = ['a_test.go', 'tests/a.rs', 'src/test/java/A.java'];

// A reader with quadratic time would exceed the timeout.
it.each<[string, string[]]>([
  ['(', PATHS],
  ['{', JS],
  ["'", PATHS],
  ['"', PATHS],
  ['`', JS],
  ['`${', JS],
  ["\\'", PATHS],
  ['/[', JS],
  ['<a ', JS],
  ['<a>{', JS],
  ["it('x', () => {", JS],
  ["t.test('x', (t) => {", JS],
  ["describe('x', () => {", JS],
  ['expect(', JS],
  ['assert(', JS],
  ['expect(x).toBe(1);', JS],
  ['const a = () => ', JS],
  ['it.each([', JS],
  ['it.each<', JS],
  ["it.only('a', () => { return; });\n", JS],
  ['/*', OTHERS],
  ['"""', PYTHON],
  ["'''", PYTHON],
  ['def test_a(): pass\n', PYTHON],
  ['@x\n', PYTHON],
  ['[\n', PYTHON],
  ['if x:\n ', PYTHON],
  ['a b ', PYTHON],
  ['func TestA(t *testing.T) {', OTHERS],
  ['t.Run("a", func(t) {', OTHERS],
  ['#[test] fn a() {', OTHERS],
  ['#[', OTHERS],
  ['mod a {', OTHERS],
  ['r#"', OTHERS],
  ['@Test void a() {', OTHERS],
  ['class A {', OTHERS],
])('a hundred thousand characters of %j are read', (piece, paths) => {
  const text = piece.repeat(Math.ceil(100_000 / piece.length));
  for (const path of paths) expect(readTestCases(path, text).cases.length).toBeGreaterThanOrEqual(0);
});

it('a million characters of tests are read to their end', () => {
  const text =
    "it('a', async () => { expect(await f(`${x}`, /[/]/)).toEqual({ a: [1, 2], b: 'c' }); });\n".repeat(
      12_000,
    );
  expect(text.length).toBeGreaterThan(1_000_000);
  const { cases, uncertain } = readTestCases('a.test.ts', text);
  expect(cases).toHaveLength(12_000);
  expect(uncertain).toBe(false);
});

it('a file with five thousand renamed tests is compared', () => {
  const tests = (name: string) =>
    Array.from({ length: 5000 }, (_, n) => `it('${name} ${n}', () => { expect(f(${n})).toBe(${n}) });`).join(
      '\n',
    );
  const losses = compareTestFiles(
    [{ path: 'a.test.ts', text: tests('a') }],
    [{ path: 'a.test.ts', text: tests('b') }],
  );
  expect(losses.every(({ severity }) => severity === 'warn')).toBe(true);
});

it('a file with five thousand emptied tests and as many helpers is compared', () => {
  const helpers = Array.from({ length: 5000 }, (_, n) => `const h${n} = () => h${n + 1}();\n`).join('');
  const tests = (body: string) =>
    Array.from({ length: 5000 }, (_, n) => `it('a ${n}', () => { ${body} });`).join('\n');
  const losses = compareTestFiles(
    [{ path: 'a.test.ts', text: tests('expect(f()).toBe(1)') }],
    [{ path: 'a.test.ts', text: `${helpers}${tests('f()')}` }],
    { helpers: [{ path: 'test/h.ts', text: `${helpers}const h5000 = () => expect(1).toBe(2);\n` }] },
  );
  expect(losses.filter(({ type, severity }) => type === 'emptied' && severity === 'fail')).toHaveLength(5000);
});

it('a file that cannot be parsed to its end is reported as uncertain', () => {
  const base = "it('a', () => { expect(x).toBe(1) });\nit('b', () => { expect(x).toBe(2) });";
  const losses = compareTestFiles(
    [{ path: 'a.test.ts', text: base }],
    [{ path: 'a.test.ts', text: `const a = \`\n${base}` }],
  );
  expect(losses.map(({ severity, type }) => `${severity} ${type}`)).toContain('warn unreadable');
});
