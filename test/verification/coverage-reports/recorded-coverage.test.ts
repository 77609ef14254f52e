import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { CoverageReport } from '../../../src/domain/entities/coverage-report.ts';
import { measureCoverage } from '../../../src/verification/coverage/measure-coverage.ts';
import { parseCoverage } from '../../../src/verification/coverage-reports/parse-coverage.ts';
import { resolveCoveragePaths } from '../../../src/verification/coverage-reports/resolve-coverage-paths.ts';

const RECORDED = new URL('../recorded/', import.meta.url);

function read(path: string): CoverageReport {
  const parsed = parseCoverage(readFileSync(new URL(path, RECORDED), 'utf8'));
  if (!parsed.ok) throw new Error(`${path}: ${parsed.why}`);
  return parsed.value;
}

function figures(path: string): string {
  const { figure } = measureCoverage(read(path)).project;
  return `${figure?.covered}/${figure?.total}`;
}

/** The tree of the recorded reports. */
const TREE = new Set([
  ...['src/sum.js', 'src/größe mit space.js', 'src/untouched.js', 'ntest/a.test.js'],
  ...['src/sum.mjs', 'src/untouched.mjs', 'src/types.ts'],
  ...['pkg/__init__.py', 'pkg/never.py', 'pkg/shapes.py', 'pkg/sub/__init__.py', 'pkg/sub/deep.py'],
  ...['calc/calc.go', 'calc/calc_test.go', 'deep/inner/inner.go'],
]);

/** It counts lines that are not statements as hit, so that hits exceed the total. */
const SELF_CONTRADICTORY = ['lcov/coverage-6.info', 'lcov/coverage-6-branch.info'];

const all = ['lcov', 'cobertura', 'istanbul', 'coverage-py', 'go-cover']
  .flatMap((folder) => readdirSync(new URL(`${folder}/`, RECORDED)).map((file) => `${folder}/${file}`))
  .filter((path) => !SELF_CONTRADICTORY.includes(path));

it('every format has recordings', () => {
  expect(new Set(all.map((path) => read(path).format))).toEqual(
    new Set(['lcov', 'cobertura', 'istanbul', 'istanbul-summary', 'coverage.py', 'go-cover']),
  );
});

describe.each(all)('%s', (path) => {
  it('contains only files of the tree, each once', () => {
    const report = read(path);
    const { report: resolved, unmatched } = resolveCoveragePaths(report, '/project', TREE);
    expect(unmatched).toEqual([]);
    expect(resolved.files).toHaveLength(report.files.length);
    for (const file of resolved.files) expect(TREE).toContain(file.path);
  });
});

it('one run has one figure in all of its reports', () => {
  for (const tool of ['c8', 'nyc', 'jest']) {
    const figure = figures(`lcov/${tool}.info`);
    expect(figures(`cobertura/${tool}.xml`), tool).toBe(figure);
    expect(figures(`istanbul/${tool}.final.json.txt`), tool).toBe(figure);
    expect(figures(`istanbul/${tool}.summary.json.txt`), tool).toBe(figure);
  }
  for (const tool of ['vitest-v8', 'vitest-istanbul']) {
    expect(figures(`istanbul/${tool}.final.json.txt`), tool).toBe(figures(`lcov/${tool}.info`));
    expect(figures(`cobertura/${tool}.xml`), tool).toBe(figures(`lcov/${tool}.info`));
  }
  for (const version of ['coverage-6', 'coverage-6-branch', 'coverage-7', 'coverage-7-branch']) {
    expect(figures(`coverage-py/${version}.json.txt`), version).toBe('19/27');
    expect(figures(`cobertura/${version}.xml`), version).toBe('19/27');
  }
  expect(figures('lcov/coverage-7.info')).toBe('19/27');
});

it('one run has the same lines in every report with lines', () => {
  const lines = (path: string, name: string) => {
    const { report } = resolveCoveragePaths(read(path), '/project', TREE);
    const found = report.files.find((file) => file.path === name)?.lines ?? new Map();
    return [...found].map(([line, hits]) => (hits > 0 ? line : -line)).sort((a, b) => a - b);
  };
  const expected = lines('lcov/nyc.info', 'src/sum.js');
  expect(expected.length).toBeGreaterThan(5);
  expect(lines('cobertura/nyc.xml', 'src/sum.js')).toEqual(expected);
  expect(lines('istanbul/nyc.final.json.txt', 'src/sum.js')).toEqual(expected);
  const python = lines('lcov/coverage-7.info', 'pkg/shapes.py');
  expect(python.filter((line) => line < 0)).toEqual([-32, -31, -23]);
  expect(lines('coverage-py/coverage-7.json.txt', 'pkg/shapes.py')).toEqual(python);
  expect(lines('cobertura/coverage-7.xml', 'pkg/shapes.py')).toEqual(python);
});

it('lines excluded by coverage.py are not executable, even if they ran', () => {
  const shapes = read('coverage-py/coverage-6.json.txt').files.find(({ path }) => path === 'pkg/shapes.py');
  expect(shapes?.lines?.has(24)).toBe(false);
  expect(shapes).toMatchObject({ covered: 15, total: 18 });
});

it('the lcov report of coverage.py 6 contradicts itself and is refused; its other reports are read', () => {
  for (const path of SELF_CONTRADICTORY) expect(() => read(path)).toThrow();
});

it('a file without code is listed without lines', () => {
  const types = read('lcov/vitest-v8.info').files.find(({ path }) => path === 'src/types.ts');
  expect(types).toMatchObject({ covered: 0, total: 0 });
});

it('in go, a line in two blocks ran if one did, and an empty function has nothing to run', () => {
  const calc = read('go-cover/set.out').files.find(({ path }) => path === 'example.com/demo/calc/calc.go');
  expect(Object.fromEntries(calc?.lines ?? [])).toEqual({
    ...{ 8: 1, 9: 1, 10: 0, 11: 0, 14: 1, 19: 1, 20: 1, 21: 1, 22: 1, 23: 1, 24: 1 },
  });
});

it('in go, a package covered by several test binaries has the highest hits', () => {
  const inner = read('go-cover/count-coverpkg.out').files.find(({ path }) => path.endsWith('inner.go'));
  expect(inner?.lines?.get(3)).toBe(1);
});
