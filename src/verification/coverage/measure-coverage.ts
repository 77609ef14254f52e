import type { CoverageReport } from '../../domain/coverage-report.ts';
import { executableLines } from './executable-lines.ts';
import { isMeasurable, languageOf } from './source-language.ts';

declare const unit: unique symbol;
/** 0 to 1, as thresholds are written. */
export type Fraction = number & { readonly [unit]: 'fraction' };
/** 0 to 100, as coverage in a turn is written. */
export type Percent = number & { readonly [unit]: 'percent' };

export interface CoverageFigure {
  covered: number;
  total: number;
  fraction: Fraction;
  percent: Percent;
}

/** A figure, or why there is none: nothing to measure is neither 0 nor 100 percent. */
export type MeasuredCoverage =
  | { figure: CoverageFigure; why?: undefined }
  | { figure?: undefined; why: string };

export interface CoverageFigures {
  project: MeasuredCoverage;
  /** On the changed lines that the report knows as executable, and those of `missingFiles` that may run. */
  changed: MeasuredCoverage;
  /** Changed source files that the report should know and does not; they count as uncovered. */
  missingFiles: string[];
}

export interface MeasureOptions {
  /** Tests do not cover themselves: changes to them are not measured. */
  isTestFile?: (path: string) => boolean;
  /** The text of a changed file that the report does not know, where that can be had: types and comments run nothing. */
  sourceOf?: (path: string) => string | undefined;
}

export const NOTHING_CHANGED = 'no executable line was changed';

/** What a report whose paths are those of the tree says of the project and of the changed lines. */
export function measureCoverage(
  report: CoverageReport,
  changed?: ReadonlyMap<string, ReadonlySet<number>>,
  options: MeasureOptions = {},
): CoverageFigures {
  const project = figureOf(
    report.files.reduce((sum, { covered }) => sum + covered, 0),
    report.files.reduce((sum, { total }) => sum + total, 0),
    'the report has no executable line',
  );
  if (!changed) return { project, changed: { why: 'what was changed is not known' }, missingFiles: [] };
  return { project, ...measureChanged(report, changed, options) };
}

export function toFraction(covered: number, total: number): Fraction {
  return (covered / total) as Fraction;
}

/** Not rounded up: 79.96 is not 80. */
export function toPercent(fraction: Fraction): Percent {
  return (fraction * 100) as Percent;
}

function measureChanged(
  report: CoverageReport,
  changed: ReadonlyMap<string, ReadonlySet<number>>,
  { isTestFile = () => false, sourceOf = () => undefined }: MeasureOptions,
): Pick<CoverageFigures, 'changed' | 'missingFiles'> {
  const files = new Map(report.files.map((file) => [file.path, file]));
  const languages = new Set(report.files.map(({ path }) => languageOf(path)));
  languages.delete(undefined);
  const missingFiles: string[] = [];
  let covered = 0;
  let total = 0;
  let withoutLines: string | undefined;
  for (const [path, numbers] of changed) {
    if (isTestFile(path)) continue;
    const file = files.get(path);
    if (!file) {
      if (!languages.has(languageOf(path)) || !isMeasurable(path)) continue;
      const uncovered = executableOf(path, numbers, sourceOf(path));
      if (uncovered > 0) missingFiles.push(path);
      total += uncovered;
    } else if (!file.lines) {
      withoutLines ??= path;
    } else {
      for (const number of numbers) {
        const hits = file.lines.get(number);
        if (hits === undefined) continue;
        total++;
        if (hits > 0) covered++;
      }
    }
  }
  missingFiles.sort();
  if (report.files.length === 0)
    return { changed: { why: 'the report has no file of this tree' }, missingFiles };
  if (report.files.every(({ lines }) => !lines) || withoutLines !== undefined) {
    return { changed: { why: `the report (${report.format}) has sums only, not lines` }, missingFiles };
  }
  return { changed: figureOf(covered, total, NOTHING_CHANGED), missingFiles };
}

function executableOf(path: string, numbers: ReadonlySet<number>, source: string | undefined): number {
  if (source === undefined) return numbers.size;
  const executable = executableLines(path, source);
  return [...numbers].filter((number) => executable.has(number)).length;
}

function figureOf(covered: number, total: number, whyNone: string): MeasuredCoverage {
  if (total === 0) return { why: whyNone };
  const fraction = toFraction(covered, total);
  return { figure: { covered, total, fraction, percent: toPercent(fraction) } };
}
