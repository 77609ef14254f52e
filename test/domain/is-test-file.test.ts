import { expect, it } from 'vitest';
import { isTestFile, mayHoldTests } from '../../src/domain/is-test-file.ts';
import { fitsGlob } from '../../src/domain/protection/fits-glob.ts';

it.each([
  'src/a.test.ts',
  'a.spec.jsx',
  'src/__tests__/a.js',
  'src/__tests__/deep/a.tsx',
  'test.js',
  'test_a.py',
  'pkg/a_test.py',
  'tests/unit/a.py',
  'pkg/a_test.go',
  'tests/a.rs',
  'crates/x/tests/all/main.rs',
  'src/test/java/x/A.java',
  'x/FooTest.kt',
  'bin/cli.test.js',
  'tools/gen_test.go',
  'src/tools/a.test.ts',
  'tests/tools/test_a.py',
  'src/a.tests.ts',
  'shop/tests.py',
])('%s is a test file', (path) => {
  expect(isTestFile(path)).toBe(true);
});

it.each([
  'src/a.ts',
  'test/setup.ts',
  'src/latest.ts',
  'src/contest.py',
  'tests/conftest.py',
  'tests/__init__.py',
  'tests/fixtures/a.py',
  'src/lib.rs',
  'scripts/test.js',
  'packages/a/scripts/run-test.js',
  'tools/test_all.py',
  'node_modules/a/a.test.js',
  'src/a.test.d.ts',
  'src/__tests__/__snapshots__/a.test.ts.snap',
])('%s is not a test file', (path) => {
  expect(isTestFile(path)).toBe(false);
});

it('takes a person’s globs', () => {
  expect(isTestFile('checks/a.ts', ['checks/**/*.ts'])).toBe(true);
  expect(isTestFile('checks/a.js', ['checks/**/*.ts'])).toBe(false);
});

it('looks for tests also in test folders and in Rust sources', () => {
  expect(['test/a.js', 'spec/a.ts', 'src/lib.rs', 'src/a.ts'].filter((path) => mayHoldTests(path))).toEqual([
    'test/a.js',
    'spec/a.ts',
    'src/lib.rs',
  ]);
});

it.each([
  ['a/b/c.ts', '**/*.ts', true],
  ['c.ts', '**/*.ts', true],
  ['a/b/c.ts', 'a/*.ts', false],
  ['a/b/c.ts', 'a/**', true],
  ['abc', 'a?c', true],
  ['a/c', 'a?c', false],
  ['xc.ts', '**/c.ts', false],
  ['', '*', true],
  ['a*b', 'a*b', true],
])('%j with the glob %j: %s', (text, glob, fits) => {
  expect(fitsGlob(text, glob)).toBe(fits);
});

it('is not held up by a glob of stars', () => {
  expect(fitsGlob('a'.repeat(2000), `${'*a'.repeat(200)}b`)).toBe(false);
});
