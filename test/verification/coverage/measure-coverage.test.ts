import { describe, expect, it } from 'vitest';
import type { CoverageReport, FileCoverage } from '../../../src/domain/entities/coverage-report.ts';
import { measureCoverage } from '../../../src/verification/coverage/measure-coverage.ts';

function file(path: string, hits: Record<number, number>): FileCoverage {
  const lines = new Map(Object.entries(hits).map(([line, count]) => [Number(line), count]));
  return { path, lines, total: lines.size, covered: [...lines.values()].filter((count) => count > 0).length };
}

function report(...files: FileCoverage[]): CoverageReport {
  return { format: 'lcov', files };
}

function changes(lines: Record<string, number[]>): Map<string, Set<number>> {
  return new Map(Object.entries(lines).map(([path, numbers]) => [path, new Set(numbers)]));
}

const half = file('src/a.ts', { 1: 1, 2: 0, 5: 3, 6: 0 });

describe('the figure of the project', () => {
  it('is covered lines over executable lines, as a fraction and in percent', () => {
    const { project } = measureCoverage(report(half, file('src/b.ts', { 1: 1, 2: 1, 3: 1, 4: 1 })));
    expect(project.figure).toEqual({ covered: 6, total: 8, fraction: 0.75, percent: 75 });
  });

  it('is absent, neither 0 nor 100, without an executable line', () => {
    expect(measureCoverage(report()).project).toEqual({ why: expect.any(String) });
    expect(measureCoverage(report(file('a.ts', {}))).project.figure).toBeUndefined();
  });

  it('comes from totals if a report has no lines', () => {
    const sums = { format: 'istanbul-summary', files: [{ path: 'a.ts', covered: 3, total: 4 }] };
    expect(measureCoverage(sums).project.figure?.percent).toBe(75);
  });
});

describe('the figure of the changed lines', () => {
  it('counts only changed lines that are executable in the report', () => {
    const { changed } = measureCoverage(report(half), changes({ 'src/a.ts': [2, 3, 4, 5, 99] }));
    expect(changed.figure).toEqual({ covered: 1, total: 2, fraction: 0.5, percent: 50 });
  });

  it('leaves out brackets, comments and the heads of Go functions, which blocks include', () => {
    const source =
      'func f(a int) error {\n\t// why\n\tif a > 1 {\n\t\treturn errors.New("no")\n\t}\n\n\treturn nil\n}\n';
    const blocks = file('f.go', { 1: 1, 2: 1, 3: 1, 4: 0, 5: 0, 6: 1, 7: 1, 8: 1 });
    const { changed, uncovered } = measureCoverage(
      report(blocks),
      changes({ 'f.go': [1, 2, 3, 4, 5, 6, 7, 8] }),
      {
        sourceOf: () => source,
      },
    );
    expect(changed.figure).toMatchObject({ covered: 2, total: 3 });
    expect(uncovered).toEqual(['f.go:4']);
  });

  it('counts a line of code that ends with a comment or contains one', () => {
    const source = 'run(); // later\n"//" + run();\n/* */ run();\n});\n// note\n';
    const { changed } = measureCoverage(
      report(file('src/a.ts', { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 })),
      changes({ 'src/a.ts': [1, 2, 3, 4, 5] }),
      { sourceOf: () => source },
    );
    expect(changed.figure).toMatchObject({ covered: 0, total: 3 });
  });

  it('is absent if no executable line was changed', () => {
    const { changed, missingFiles } = measureCoverage(
      report(half),
      changes({ 'src/a.ts': [3], 'README.md': [1, 2] }),
    );
    expect(changed).toMatchObject({ code: 'nothing-changed' });
    expect(missingFiles).toEqual([]);
  });

  it('is absent, with the reason, if the report has totals only', () => {
    const sums = { format: 'istanbul-summary', files: [{ path: 'src/a.ts', covered: 4, total: 4 }] };
    expect(measureCoverage(sums, changes({ 'src/a.ts': [1] })).changed).toEqual({
      why: expect.stringContaining('istanbul-summary'),
    });
  });

  it('is absent if the changes are unknown, or the report has no file of the tree', () => {
    expect(measureCoverage(report(half)).changed).toEqual({ why: expect.any(String) });
    const { changed } = measureCoverage(report(), changes({ 'src/a.ts': [1] }));
    expect(changed).toEqual({ why: expect.any(String) });
    expect(changed).not.toMatchObject({ code: 'nothing-changed' });
  });

  it('counts a changed source file that is missing from the report as uncovered, and names it', () => {
    const { changed, missingFiles } = measureCoverage(
      report(half),
      changes({ 'src/a.ts': [1], 'src/untested.ts': [1, 2, 3] }),
    );
    expect(changed.figure).toMatchObject({ covered: 1, total: 4 });
    expect(missingFiles).toEqual(['src/untested.ts']);
  });

  it('lets no file escape with another extension of a measured language', () => {
    const { missingFiles } = measureCoverage(
      report(half),
      changes({ 'src/z.mjs': [1], 'src/y.tsx': [1], 'tools/x.py': [1], 'src/__proto__.js': [1] }),
    );
    expect(missingFiles).toEqual(['src/__proto__.js', 'src/y.tsx', 'src/z.mjs']);
  });

  it('leaves out files that are not product code, with the reason', () => {
    const whyLeftOut = (path: string) => (path.startsWith('test/') ? ('test' as const) : undefined);
    const known = file('test/a.test.ts', { 1: 1, 2: 1 });
    const { project, changed, missingFiles, leftOut, uncovered } = measureCoverage(
      report(half, known),
      changes({ 'src/a.ts': [2], 'test/a.test.ts': [1, 2], 'test/b.test.ts': [1] }),
      { whyLeftOut },
    );
    expect(changed.figure).toMatchObject({ covered: 0, total: 1 });
    expect(project.figure).toMatchObject({ covered: 2, total: 4 });
    expect(missingFiles).toEqual([]);
    expect(leftOut).toEqual([
      { path: 'test/a.test.ts', why: 'test' },
      { path: 'test/b.test.ts', why: 'test' },
    ]);
    expect(uncovered).toEqual(['src/a.ts:2']);
  });

  it('names the changed lines that did not run', () => {
    const hits = { 1: 0, 2: 0, 3: 1, 4: 0, 6: 0 };
    const { uncovered } = measureCoverage(
      report(file('src/a.ts', hits)),
      changes({ 'src/a.ts': [6, 1, 2, 3, 4], 'src/new.ts': [1, 2] }),
    );
    expect(uncovered).toEqual(['src/a.ts:1-2, 4, 6', 'src/new.ts:1-2']);
  });

  it('does not count types and comments of a missing file if its text is available', () => {
    const sources = new Map([
      ['src/types.ts', 'export interface A {\n  b: string;\n}\n'],
      ['src/new.ts', '// A comment.\nlaunch();\n'],
    ]);
    const { changed, missingFiles } = measureCoverage(
      report(half),
      changes({ 'src/types.ts': [1, 2, 3], 'src/new.ts': [1, 2], 'src/a.ts': [1] }),
      { sourceOf: (path) => sources.get(path) },
    );
    expect(missingFiles).toEqual(['src/new.ts']);
    expect(changed.figure).toMatchObject({ covered: 1, total: 2 });
  });
});

describe('a program that tests start', () => {
  const changed = changes({ 'cli.js': [1, 2], 'src/a.ts': [1] });
  const isStarted = (path: string) => path === 'cli.js';

  it('does not count if the tool saw no line of it run', () => {
    for (const unseen of [report(half), report(half, file('cli.js', { 1: 0, 2: 0 }))]) {
      const figures = measureCoverage(unseen, changed, { isStarted });
      expect(figures.changed.figure?.percent).toBe(100);
      expect(figures.leftOut).toEqual([{ path: 'cli.js', why: 'runs in a process of its own' }]);
    }
  });

  it('counts if some of it ran', () => {
    const figures = measureCoverage(report(half, file('cli.js', { 1: 0, 2: 0, 3: 1 })), changed, {
      isStarted,
    });
    expect(figures.changed.figure).toMatchObject({ covered: 1, total: 3 });
  });
});
