import { expect, it } from 'vitest';
import type { FileCoverage } from '../../../src/domain/entities/coverage-report.ts';
import {
  joinReports,
  resolveCoveragePaths,
} from '../../../src/verification/coverage-reports/resolve-coverage-paths.ts';

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

it('paths of the tree and absolute paths below its root match exactly', () => {
  const { paths, unmatched } = resolve(
    ['src/a.ts', '/project/src/b.ts', '/project/__proto__'],
    ['src/a.ts', 'src/b.ts', '__proto__'],
  );
  expect(paths).toEqual(['src/a.ts', 'src/b.ts', '__proto__']);
  expect(unmatched).toEqual([]);
});

it('absolute paths elsewhere never match, whatever their ending', () => {
  const outside = ['/usr/lib/python3/utils.py', '/projects/utils.py', 'C:/project/utils.py', '/utils.py'];
  expect(resolve(outside, ['utils.py']).unmatched).toEqual(outside);
});

it('files outside the tree are left out and listed', () => {
  const { paths, unmatched } = resolve(['src/gone.ts', 'src/a.ts'], ['src/a.ts']);
  expect(paths).toEqual(['src/a.ts']);
  expect(unmatched).toEqual(['src/gone.ts']);
});

it('a path with a module prefix matches by its end', () => {
  const tree = ['calc/calc.go', 'main.go', 'internal/calc/calc.go'];
  const { paths } = resolve(
    ['example.com/demo/main.go', 'example.com/demo/calc/calc.go', 'example.com/demo/internal/calc/calc.go'],
    tree,
  );
  expect(paths.sort()).toEqual([...tree].sort());
});

it('a built file does not match a source of the same name', () => {
  expect(resolve(['dist/index.js'], ['index.js']).unmatched).toEqual(['dist/index.js']);
});

it('a path relative to a folder of the tree matches if only one file ends with it', () => {
  expect(resolve(['src/a.ts'], ['packages/x/src/a.ts', 'packages/y/src/b.ts']).paths).toEqual([
    'packages/x/src/a.ts',
  ]);
  expect(resolve(['src/a.ts'], ['packages/x/src/a.ts', 'packages/y/src/a.ts'])).toMatchObject({
    paths: [],
    unmatched: ['src/a.ts'],
  });
  expect(resolve(['rc/a.ts'], ['packages/x/src/a.ts']).paths).toEqual([]);
});

it('a path that leads out of the report’s folder matches by the rest', () => {
  expect(resolve(['../shared/src/a.ts'], ['packages/shared/src/a.ts']).paths).toEqual([
    'packages/shared/src/a.ts',
  ]);
  expect(resolve(['../../etc/passwd'], ['src/a.ts']).unmatched).toEqual(['../../etc/passwd']);
});

it('of two paths that end like one file, the full one matches', () => {
  const { files, unmatched } = resolve(
    [file('example.com/lib/a.go', { 1: 9 }), file('a.go', { 1: 0 })],
    ['a.go'],
  );
  expect(files).toMatchObject([{ path: 'a.go', covered: 0 }]);
  expect(unmatched).toEqual(['example.com/lib/a.go']);
});

it('of two partial paths that end like one file, neither matches', () => {
  const both = ['example.com/lib/a.go', 'example.com/other/a.go'];
  expect(resolve(both, ['a.go'])).toMatchObject({ paths: [], unmatched: both });
});

it('any number of paths may end like one file', () => {
  const many = Array.from({ length: 200_000 }, (_, n) => ({ path: `m${n}/a.go`, covered: 0, total: 0 }));
  expect(resolve(many, ['a.go']).unmatched).toHaveLength(200_000);
});

it('the same file under two names is merged, each line with its most hits', () => {
  const { files } = resolve([file('a.ts', { 1: 0, 2: 1 }), file('/project/a.ts', { 1: 4, 3: 0 })], ['a.ts']);
  expect(files).toHaveLength(1);
  expect(files[0]).toMatchObject({ path: 'a.ts', covered: 2, total: 3 });
});

it('totals of the same file under two names count if equal, else not at all', () => {
  const sums = (path: string, covered: number) => ({ path, covered, total: 4 });
  expect(resolve([sums('a.ts', 3), sums('/project/a.ts', 3)], ['a.ts']).files).toEqual([sums('a.ts', 3)]);
  expect(resolve([sums('a.ts', 3), sums('/project/a.ts', 4)], ['a.ts']).unmatched).toHaveLength(2);
});

it('with several roots, a path matches where it exists', () => {
  const tree = ['x/only.py', 'y/other.py', 'x/both.py', 'y/both.py'];
  const { paths, unmatched } = resolve(['only.py', 'other.py', 'both.py'], tree, [
    '/project/x',
    '/project/y',
  ]);
  expect(paths).toEqual(['x/only.py', 'y/other.py']);
  expect(unmatched).toEqual(['both.py']);
});

it('a relative path matches nearest to the report’s folder', () => {
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

it('a line counts as executed if one of several reports says so', () => {
  const one = { format: 'lcov', files: [file('a.js', { 1: 1, 2: 0 }), file('b.js')] };
  const other = { format: 'lcov', files: [file('a.js', { 2: 3, 3: 0 })] };
  expect(joinReports([one, other])).toEqual({
    format: 'lcov',
    files: [file('a.js', { 1: 1, 2: 3, 3: 0 }), file('b.js')],
  });
});

it('of several reports, totals of the same file that differ do not count', () => {
  const totals = (covered: number) => ({
    format: 'istanbul-summary',
    files: [{ path: 'a.js', covered, total: 4 }],
  });
  expect(joinReports([totals(4), totals(2)]).files).toEqual([]);
  expect(joinReports([totals(4), totals(4)]).files).toEqual([{ path: 'a.js', covered: 4, total: 4 }]);
});

it('the report of a Go module in a folder means the files of that folder', () => {
  const report = { format: 'go', files: [{ path: 'example.com/tool/main.go', covered: 1, total: 1 }] };
  const tree = new Set(['main.go', 'tools/tool/main.go']);
  const { files } = resolveCoveragePaths(report, '/work', tree, 'tools/tool/cover.out').report;
  expect(files.map(({ path }) => path)).toEqual(['tools/tool/main.go']);
  expect(resolveCoveragePaths(report, '/work', tree, 'cover.out').report.files).toMatchObject([
    { path: 'main.go' },
  ]);
});
