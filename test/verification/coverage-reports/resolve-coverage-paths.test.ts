import { expect, it } from 'vitest';
import type { FileCoverage } from '../../../src/domain/entities/coverage-report.ts';
import { resolveCoveragePaths } from '../../../src/verification/coverage-reports/resolve-coverage-paths.ts';

function file(path: string, hits: Record<number, number> = { 1: 1 }): FileCoverage {
  const lines = new Map(Object.entries(hits).map(([line, count]) => [Number(line), count]));
  return { path, lines, total: lines.size, covered: [...lines.values()].filter((count) => count > 0).length };
}

function resolve(paths: (string | FileCoverage)[], tree: string[], roots?: string[]) {
  const files = paths.map((path) => (typeof path === 'string' ? file(path) : path));
  const { report, unmatched } = resolveCoveragePaths(
    { format: 'lcov', files, roots },
    '/project',
    new Set(tree),
  );
  return { files: report.files, paths: report.files.map(({ path }) => path), unmatched };
}

it('paths of the tree and absolute paths below its root are found as they are', () => {
  const { paths, unmatched } = resolve(
    ['src/a.ts', '/project/src/b.ts', '/project/__proto__'],
    ['src/a.ts', 'src/b.ts', '__proto__'],
  );
  expect(paths).toEqual(['src/a.ts', 'src/b.ts', '__proto__']);
  expect(unmatched).toEqual([]);
});

it('absolute paths elsewhere are no files of the tree, however they end', () => {
  const outside = ['/usr/lib/python3/utils.py', '/projects/utils.py', 'C:/project/utils.py', '/utils.py'];
  expect(resolve(outside, ['utils.py']).unmatched).toEqual(outside);
});

it('files that are not in the tree are left out and listed', () => {
  const { paths, unmatched } = resolve(['src/gone.ts', 'src/a.ts'], ['src/a.ts']);
  expect(paths).toEqual(['src/a.ts']);
  expect(unmatched).toEqual(['src/gone.ts']);
});

it('a path with the module before it is found by its end', () => {
  const tree = ['calc/calc.go', 'main.go', 'internal/calc/calc.go'];
  const { paths } = resolve(
    ['example.com/demo/main.go', 'example.com/demo/calc/calc.go', 'example.com/demo/internal/calc/calc.go'],
    tree,
  );
  expect(paths.sort()).toEqual([...tree].sort());
});

it('a built file is not the source that is called like it', () => {
  expect(resolve(['dist/index.js'], ['index.js']).unmatched).toEqual(['dist/index.js']);
});

it('a path relative to a folder of the tree is found if only one file ends like that', () => {
  expect(resolve(['src/a.ts'], ['packages/x/src/a.ts', 'packages/y/src/b.ts']).paths).toEqual([
    'packages/x/src/a.ts',
  ]);
  expect(resolve(['src/a.ts'], ['packages/x/src/a.ts', 'packages/y/src/a.ts'])).toMatchObject({
    paths: [],
    unmatched: ['src/a.ts'],
  });
  expect(resolve(['rc/a.ts'], ['packages/x/src/a.ts']).paths).toEqual([]);
});

it('a path out of the folder that the report was made in is found by what comes after', () => {
  expect(resolve(['../shared/src/a.ts'], ['packages/shared/src/a.ts']).paths).toEqual([
    'packages/shared/src/a.ts',
  ]);
  expect(resolve(['../../etc/passwd'], ['src/a.ts']).unmatched).toEqual(['../../etc/passwd']);
});

it('of two paths that end like one file, the one that is named in full has it', () => {
  const { files, unmatched } = resolve(
    [file('example.com/lib/a.go', { 1: 9 }), file('a.go', { 1: 0 })],
    ['a.go'],
  );
  expect(files).toMatchObject([{ path: 'a.go', covered: 0 }]);
  expect(unmatched).toEqual(['example.com/lib/a.go']);
});

it('two paths that end like one file, and neither in full, are neither', () => {
  const both = ['example.com/lib/a.go', 'example.com/other/a.go'];
  expect(resolve(both, ['a.go'])).toMatchObject({ paths: [], unmatched: both });
});

it('any number of paths may end like one file', () => {
  const many = Array.from({ length: 200_000 }, (_, n) => ({ path: `m${n}/a.go`, covered: 0, total: 0 }));
  expect(resolve(many, ['a.go']).unmatched).toHaveLength(200_000);
});

it('the same file by two names is merged, each line with its most hits', () => {
  const { files } = resolve([file('a.ts', { 1: 0, 2: 1 }), file('/project/a.ts', { 1: 4, 3: 0 })], ['a.ts']);
  expect(files).toHaveLength(1);
  expect(files[0]).toMatchObject({ path: 'a.ts', covered: 2, total: 3 });
});

it('sums of the same file by two names are one if they are equal, and nothing if not', () => {
  const sums = (path: string, covered: number) => ({ path, covered, total: 4 });
  expect(resolve([sums('a.ts', 3), sums('/project/a.ts', 3)], ['a.ts']).files).toEqual([sums('a.ts', 3)]);
  expect(resolve([sums('a.ts', 3), sums('/project/a.ts', 4)], ['a.ts']).unmatched).toHaveLength(2);
});

it('with several roots, a path is where it exists', () => {
  const tree = ['x/only.py', 'y/other.py', 'x/both.py', 'y/both.py'];
  const { paths, unmatched } = resolve(['only.py', 'other.py', 'both.py'], tree, [
    '/project/x',
    '/project/y',
  ]);
  expect(paths).toEqual(['x/only.py', 'y/other.py']);
  expect(unmatched).toEqual(['both.py']);
});

it('a path of a report that lies in a folder of the tree is nearest to it', () => {
  const tree = new Set(['src/a.ts', 'packages/x/src/a.ts', 'packages/y/src/a.ts', 'src/root.ts']);
  const report = { format: 'lcov', files: [file('src/a.ts'), file('src/root.ts')] };
  const at = (place: string) =>
    resolveCoveragePaths(report, '/project', tree, place).report.files.map(({ path }) => path);
  expect(at('packages/x/coverage/lcov.info')).toEqual(['packages/x/src/a.ts', 'src/root.ts']);
  expect(at('packages/y/lcov.info')).toEqual(['packages/y/src/a.ts', 'src/root.ts']);
  expect(at('coverage/lcov.info')).toEqual(['src/a.ts', 'src/root.ts']);
  expect(at('lcov.info')).toEqual(['src/a.ts', 'src/root.ts']);
});

it('the root may have several names', () => {
  const report = { format: 'lcov', files: [file('/private/tmp/p/a.ts'), file('/tmp/p/b.ts')] };
  const { unmatched } = resolveCoveragePaths(
    report,
    ['/tmp/p', '/private/tmp/p/'],
    new Set(['a.ts', 'b.ts']),
  );
  expect(unmatched).toEqual([]);
});
