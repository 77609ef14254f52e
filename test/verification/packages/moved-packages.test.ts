import { expect, it } from 'vitest';
import { movedPackages, onlyMovedFiles } from '../../../src/verification/packages/moved-packages.ts';

const entry = (path: string, object = path.slice(path.lastIndexOf('/'))) => ({
  path,
  object,
  mode: '100644',
});
const BEFORE = ['packages/site/package.json', 'packages/site/a.test.js', 'packages/api/package.json'];

it('a package whose folder has another name has moved', () => {
  const after = ['packages/page/package.json', 'packages/page/a.test.js', 'packages/api/package.json'];
  expect(movedPackages(BEFORE, after)).toEqual([{ from: 'packages/site', to: 'packages/page' }]);
});

it('a package has not moved if something is left of it, or the new folder existed or is elsewhere', () => {
  expect(movedPackages(BEFORE, [...BEFORE, 'packages/page/package.json'])).toEqual([]);
  expect(movedPackages([...BEFORE, 'packages/page/x.js'], ['packages/page/package.json'])).toEqual([]);
  expect(movedPackages(BEFORE, ['apps/site/package.json', 'packages/api/package.json'])).toEqual([]);
});

it('of several new packages, the one with most of the files is the moved one', () => {
  const after = ['packages/b/package.json', 'packages/c/package.json', 'packages/c/a.test.js'];
  expect(movedPackages(BEFORE.slice(0, 2), after)).toEqual([{ from: 'packages/site', to: 'packages/c' }]);
});

it('a file that changes while its package moves has not only moved', () => {
  const before = BEFORE.map((path) => entry(path));
  const after = [
    entry('packages/page/package.json'),
    entry('packages/page/a.test.js', 'other'),
    entry('packages/api/package.json'),
  ];
  const change = (path: string, kind: 'added' | 'deleted') => ({ path, change: kind });
  const changes = [
    change('packages/site/package.json', 'deleted'),
    change('packages/site/a.test.js', 'deleted'),
    change('packages/page/package.json', 'added'),
    change('packages/page/a.test.js', 'added'),
  ];
  expect([...onlyMovedFiles(before, after, changes)]).toEqual([
    'packages/site/package.json',
    'packages/page/package.json',
  ]);
});
