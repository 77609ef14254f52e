import type { CoverageReport } from '../../domain/entities/coverage-report.ts';
import { executableLines } from './executable-lines.ts';
import type { LeftOut, ProductCode } from './product-code.ts';
import { languageOf } from './source-language.ts';

declare const unit: unique symbol;
/** 0 to 1, like thresholds. */
export type Fraction = number & { readonly [unit]: 'fraction' };
/** 0 to 100, like coverage in a turn. */
export type Percent = number & { readonly [unit]: 'percent' };

export interface CoverageFigure {
  covered: number;
  total: number;
  fraction: Fraction;
  percent: Percent;
}

/** A figure, or the reason why there is none: nothing to measure is neither 0 nor 100 percent. */
export type MeasuredCoverage =
  | { figure: CoverageFigure; why?: undefined }
  | { figure?: undefined; why: string; code?: typeof NOTHING_CHANGED };

export interface CoverageFigures {
  project: MeasuredCoverage;
  /** Of the changed lines that are executable in the report, and of those in `missingFiles` that may run. */
  changed: MeasuredCoverage;
  /** Changed source files that are missing from the report; they count as uncovered. */
  missingFiles: string[];
  /** Changed lines that may run and did not, as `path:3-5, 9`. */
  uncovered: string[];
  /** Changed files that are not product code, with the reason. */
  leftOut: LeftOut[];
}

export interface MeasureOptions {
  /** Only product code is measured; tests, for example, do not cover themselves. */
  whyLeftOut?: ProductCode['whyLeftOut'];
  isStarted?: ProductCode['isStarted'];
  /** The text of a changed file, if available: comments, brackets and types run nothing. */
  sourceOf?: (path: string) => string | undefined;
}

const MAX_RANGES = 12;
const OTHER_PROCESS = 'runs in a process of its own';
/** The code of a change without an executable line. */
const NOTHING_CHANGED = 'nothing-changed';

/** The figures of a report with paths of the tree, for the project and for the changed lines. */
export function measureCoverage(
  report: CoverageReport,
  changed?: ReadonlyMap<string, ReadonlySet<number>>,
  options: MeasureOptions = {},
): CoverageFigures {
  const { whyLeftOut = () => undefined } = options;
  const product = { ...report, files: report.files.filter(({ path }) => whyLeftOut(path) === undefined) };
  const project = figureOf(
    product.files.reduce((sum, { covered }) => sum + covered, 0),
    product.files.reduce((sum, { total }) => sum + total, 0),
    'the report has no executable line',
  );
  if (!changed) {
    const unknown = { why: 'the changed lines are unknown' };
    return { project, changed: unknown, missingFiles: [], uncovered: [], leftOut: [] };
  }
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
  { whyLeftOut = () => undefined, isStarted = () => false, sourceOf = () => undefined }: MeasureOptions,
): Omit<CoverageFigures, 'project'> {
  const files = new Map(report.files.map((file) => [file.path, file]));
  const languages = new Set(report.files.map(({ path }) => languageOf(path)));
  languages.delete(undefined);
  const missingFiles: string[] = [];
  const uncovered: string[] = [];
  const leftOut: LeftOut[] = [];
  let covered = 0;
  let total = 0;
  let withoutLines: string | undefined;
  for (const [path, numbers] of changed) {
    const file = files.get(path);
    if (!file && !languages.has(languageOf(path))) continue;
    const isUnseen = (file?.covered ?? 0) === 0;
    const why = whyLeftOut(path) ?? (isUnseen && isStarted(path) ? OTHER_PROCESS : undefined);
    if (why !== undefined) {
      leftOut.push({ path, why });
      continue;
    }
    if (file && !file.lines) {
      withoutLines ??= path;
      continue;
    }
    const hitsOf = (number: number) => file?.lines?.get(number);
    const source = sourceOf(path);
    const texts = source?.split('\n') ?? [];
    const runnable = file
      ? [...numbers].filter(
          (number) => hitsOf(number) !== undefined && !runsNothing(path, texts[number - 1] ?? 'unknown'),
        )
      : executableOf(path, numbers, source);
    const missed = runnable.filter((number) => (hitsOf(number) ?? 0) === 0);
    total += runnable.length;
    covered += runnable.length - missed.length;
    if (!file && missed.length > 0) missingFiles.push(path);
    if (missed.length > 0) uncovered.push(`${path}:${lineRanges(missed)}`);
  }
  missingFiles.sort();
  const found = { missingFiles, uncovered, leftOut };
  if (report.files.length === 0)
    return { changed: { why: 'the report lists no file of this tree' }, ...found };
  if (report.files.every(({ lines }) => !lines) || withoutLines !== undefined)
    return { changed: { why: `the report (${report.format}) has totals only, no lines` }, ...found };
  return { changed: figureOf(covered, total, 'no executable line was changed', NOTHING_CHANGED), ...found };
}

const BRACKETS = /^[\s()[\]{};,]*$/;
const COMMENT = /^\s*\/\//;
const GO_HEAD = /^func\b.*\{\s*$/;

/**
 * Reports of Go and V8 count every line of a block: closing brackets, comments, and the head of a function. Decided by
 * the line alone, so that no code can hide in a comment.
 */
function runsNothing(path: string, line: string): boolean {
  const language = languageOf(path);
  if (language === 'go') return BRACKETS.test(line) || COMMENT.test(line) || GO_HEAD.test(line);
  return language === 'javascript' && (BRACKETS.test(line) || COMMENT.test(line));
}

/** `3-5, 9` of 3, 4, 5 and 9. */
function lineRanges(numbers: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const number of [...numbers].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  const shown = ranges.slice(0, MAX_RANGES).map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`));
  return `${shown.join(', ')}${ranges.length > MAX_RANGES ? ', …' : ''}`;
}

function executableOf(path: string, numbers: ReadonlySet<number>, source: string | undefined): number[] {
  if (source === undefined) return [...numbers];
  const executable = executableLines(path, source);
  return [...numbers].filter((number) => executable.has(number));
}

function figureOf(
  covered: number,
  total: number,
  whyNone: string,
  code?: typeof NOTHING_CHANGED,
): MeasuredCoverage {
  if (total === 0) return { why: whyNone, ...(code && { code }) };
  const fraction = toFraction(covered, total);
  return { figure: { covered, total, fraction, percent: toPercent(fraction) } };
}
