import * as z from 'zod';
import type { CoverageReport, FileCoverage } from '../../domain/entities/coverage-report.ts';
import type { Parsed } from '../../domain/entities/test-report.ts';
import { LineCollector } from './line-collector.ts';
import { parseJson, quoted, reportPath } from './report-text.ts';

const count = z.int().min(0);
const entrySchema = z.object({
  lines: z.object({ total: count, covered: count, pct: z.union([z.number(), z.string()]).optional() }),
});

/** Percentages have two digits, truncated or rounded. */
const TOLERANCE = 0.1;

/** Reads istanbul's `coverage-summary.json`, which has totals only; the total must be the sum of its files. */
export function parseIstanbulSummary(text: string): Parsed<CoverageReport> {
  const parsed = parseJson(text);
  return parsed.ok ? readIstanbulSummary(parsed.value) : refusedSummary(parsed.why);
}

export function readIstanbulSummary(entries: object): Parsed<CoverageReport> {
  const files = new Map<string, FileCoverage>();
  let claimed: { total: number; covered: number } | undefined;
  for (const [given, value] of Object.entries(entries)) {
    const entry = entrySchema.safeParse(value);
    if (!entry.success) return refusedSummary(`${quoted(given)} has no line totals`);
    const { total, covered, pct } = entry.data.lines;
    if (covered > total) return refusedSummary(`${quoted(given)} has ${covered} covered lines of ${total}`);
    if (total > 0 && typeof pct === 'number' && Math.abs(pct - (100 * covered) / total) > TOLERANCE) {
      return refusedSummary(`${quoted(given)} has ${covered} of ${total} lines but reports ${pct}%`);
    }
    if (given === 'total') {
      claimed = { total, covered };
      continue;
    }
    const path = reportPath(given);
    if (path === '' || files.has(path)) return refusedSummary(`it names ${quoted(given)} twice`);
    files.set(path, { path, covered, total });
  }
  const found = [...files.values()];
  if (found.length === 0) return refusedSummary('it has no file');
  const total = found.reduce((sum, file) => sum + file.total, 0);
  const covered = found.reduce((sum, file) => sum + file.covered, 0);
  if (claimed && (claimed.total !== total || claimed.covered !== covered)) {
    return refusedSummary(
      `its total is ${claimed.covered} of ${claimed.total} lines, but its files have ${covered} of ${total}`,
    );
  }
  return { ok: true, value: { format: 'istanbul-summary', files: found } };
}

function refusedSummary(why: string): Parsed<never> {
  return { ok: false, why: `invalid istanbul summary: ${why}` };
}

const fileSchema = z.object({
  statementMap: z.record(z.string(), z.object({ start: z.object({ line: z.number() }) })),
  s: z.record(z.string(), z.number()),
});

/** Reads istanbul's `coverage-final.json`; as in istanbul, a line has the hits of its most executed statement. */
export function parseIstanbul(text: string): Parsed<CoverageReport> {
  const parsed = parseJson(text);
  return parsed.ok ? readIstanbul(parsed.value) : refused(parsed.why);
}

export function readIstanbul(files: object): Parsed<CoverageReport> {
  const collector = new LineCollector();
  for (const [given, value] of Object.entries(files)) {
    const path = reportPath(given);
    const file = fileSchema.safeParse(value);
    if (path === '' || !file.success) return refused(`${quoted(given)} has no statements`);
    const { statementMap, s } = file.data;
    const statements = Object.entries(statementMap);
    if (statements.length !== Object.keys(s).length) {
      return refused(
        `${quoted(path)} has ${statements.length} statements but ${Object.keys(s).length} counts`,
      );
    }
    collector.open(path);
    for (const [id, { start }] of statements) {
      const hits = s[id];
      if (hits === undefined) return refused(`${quoted(path)} has no count for statement ${quoted(id)}`);
      const why = collector.add(path, start.line, hits);
      if (why) return refused(why);
    }
  }
  const found = collector.files();
  if (found.length === 0) return refused('it has no file');
  return { ok: true, value: { format: 'istanbul', files: found } };
}

function refused(why: string): Parsed<never> {
  return { ok: false, why: `invalid istanbul report: ${why}` };
}
