import { expect, it } from 'vitest';
import { committedDependencies, filesOf } from '../../../src/verification/harness/find-harness-changes.ts';

const found = (path: string, ...others: string[]) =>
  committedDependencies([{ path, change: 'added' }], [path, ...others]).map((one) => one.path);

it.each([
  'test/fixtures/app/node_modules/b/index.js',
  'test/fixtures/node_modules/@scope/b/package.json',
  'testdata/env/venv/bin/python',
])('a fixture may contain packages: %s', (path) => {
  expect(found(path, 'test/find.test.js', 'test/fixtures/app/index.js')).toEqual([]);
});

it.each([
  ['node_modules/chai/index.js', []],
  ['test/node_modules/chai/index.js', []],
  ['.venv/lib/pytest.py', []],
  ['node_modules/fixtures/node_modules/chai/index.js', []],
  ['test/fixtures/node_modules/chai/index.js', ['test/fixtures/deep/add.test.js']],
  ['tests/testdata/venv/lib/pytest.py', ['tests/testdata/test_add.py']],
])('packages that tests may load change the harness: %s', (path, others) => {
  expect(found(path, ...others)).toEqual([path]);
});

it('every changed file of a package is a change of its own, so that accepting one does not accept the others', () => {
  const paths = ['node_modules/left-pad/index.js', 'node_modules/chai/index.js', 'src/index.js'];
  const changes = paths.map((path) => ({ path, change: 'added' as const }));
  expect(committedDependencies(changes, paths).map((one) => one.path)).toEqual(paths.slice(0, 2));
});

it('the folder of a package is accepted with its files, and another folder is not', () => {
  const paths = ['a/node_modules/chai/index.js', 'a/node_modules/chai/package.json'];
  const installed = committedDependencies(
    paths.map((path) => ({ path, change: 'added' })),
    paths,
  );
  const other = { type: 'added' as const, part: 'name', before: null, after: null, words: '' };
  expect(filesOf({ ...other, path: 'a/node_modules/chai' }, installed)).toEqual(paths);
  expect(filesOf({ ...other, path: 'a' }, installed)).toEqual(['a']);
  expect(installed.map((one) => filesOf(one, installed))).toEqual(paths.map((path) => [path]));
});

it('the files around a fixture’s packages are looked at once, however many files those have', () => {
  const paths = Array.from({ length: 50 }, (_, at) => `test/fixtures/node_modules/b/${at}.js`);
  let looks = 0;
  const files = Object.assign([...paths], {
    some: () => {
      looks += 1;
      return false;
    },
  });
  expect(
    committedDependencies(
      paths.map((path) => ({ path, change: 'added' })),
      files,
    ),
  ).toEqual([]);
  expect(looks).toBe(1);
});
