import * as z from 'zod';
import type { CoverageReport, FileCoverage } from '../../domain/entities/coverage-report.ts';
import type { Parsed } from '../../domain/entities/test-report.ts';
import { isObject } from '../../domain/json/plain-shape.ts';
import { MAX_LINE, MAX_LINES } from './line-collector.ts';
import { parseJson, quoted, reportPath } from './report-text.ts';

const count = z.int().min(0);
const lineNumbers = z.array(z.int().min(0).max(MAX_LINE));
const sumsSchema = z.object({ covered_lines: count, num_statements: count, missing_lines: count });
const fileSchema = z.object({
  executed_lines: lineNumbers,
  missing_lines: lineNumbers,
  excluded_lines: lineNumbers.default([]),
  summary: sumsSchema,
});
const reportSchema = z.object({
  meta: z.object({ version: z.string() }),
  files: z.custom<object>((value) => isObject(value)),
  totals: sumsSchema,
});

/** Reads the output of `coverage json`. It lists which lines ran, not how often: a line that ran has one hit. */
export function parseCoveragePy(text: string): Parsed<CoverageReport> {
  const parsed = parseJson(text);
  return parsed.ok ? readCoveragePy(parsed.value) : refused(parsed.why);
}

export function readCoveragePy(value: object): Parsed<CoverageReport> {
  const report = reportSchema.safeParse(value);
  if (!report.success) return refused('it lacks meta, files or totals');
  const files = new Map<string, FileCoverage>();
  let lineCount = 0;
  for (const [given, entry] of Object.entries(report.data.files)) {
    const path = reportPath(given);
    if (path === '' || files.has(path)) return refused(`it names ${quoted(given)} twice`);
    const file = fileSchema.safeParse(entry);
    if (!file.success) return refused(`${quoted(path)} has no line lists with totals`);
    const read = readFile(path, file.data);
    if (!read.ok) return refused(read.why);
    lineCount += read.value.lines?.size ?? 0;
    if (lineCount > MAX_LINES) return refused(`it has more than ${MAX_LINES} lines`);
    files.set(path, read.value);
  }
  const found = [...files.values()];
  if (found.length === 0) return refused('it has no file');
  const total = found.reduce((sum, file) => sum + file.total, 0);
  const covered = found.reduce((sum, file) => sum + file.covered, 0);
  const { totals } = report.data;
  if (totals.num_statements !== total || totals.covered_lines !== covered) {
    return refused(
      `its total is ${totals.covered_lines} of ${totals.num_statements} lines, but its files have ${covered} of ${total}`,
    );
  }
  return { ok: true, value: { format: 'coverage.py', files: found } };
}

/**
 * Up to version 6, executed lines include some that are not statements, such as docstrings and line 0 of empty files.
 * There may therefore be more executed lines than in the totals, but never fewer.
 */
function readFile(path: string, file: z.infer<typeof fileSchema>): Parsed<FileCoverage> {
  const excluded = new Set(file.excluded_lines);
  const executed = new Set(file.executed_lines.filter((line) => line > 0 && !excluded.has(line)));
  const missing = new Set(file.missing_lines);
  const { covered_lines: covered, missing_lines: uncovered, num_statements: total } = file.summary;
  const both = file.missing_lines.find((line) => executed.has(line));
  if (both !== undefined)
    return { ok: false, why: `${quoted(path)} line ${both} is both executed and missing` };
  if (covered + uncovered !== total || missing.size !== uncovered || executed.size < covered) {
    const claimed = `${covered} covered and ${uncovered} missing of ${total} lines`;
    return {
      ok: false,
      why: `${quoted(path)} reports ${claimed} but lists ${executed.size} and ${missing.size}`,
    };
  }
  const lines = new Map<number, number>();
  for (const line of executed) lines.set(line, 1);
  for (const line of missing) lines.set(line, 0);
  return { ok: true, value: { path, covered, total, lines } };
}

function refused(why: string): Parsed<never> {
  return { ok: false, why: `invalid coverage.py report: ${why}` };
}
