import * as z from 'zod';
import type { CoverageReport, FileCoverage } from '../../domain/entities/coverage-report.ts';
import type { Parsed } from '../../domain/entities/test-report.ts';
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
  return parsed.ok ? readIstanbulSummary(parsed.value) : refused(parsed.why);
}

export function readIstanbulSummary(entries: object): Parsed<CoverageReport> {
  const files = new Map<string, FileCoverage>();
  let claimed: { total: number; covered: number } | undefined;
  for (const [given, value] of Object.entries(entries)) {
    const entry = entrySchema.safeParse(value);
    if (!entry.success) return refused(`${quoted(given)} has no line totals`);
    const { total, covered, pct } = entry.data.lines;
    if (covered > total) return refused(`${quoted(given)} has ${covered} covered lines of ${total}`);
    if (total > 0 && typeof pct === 'number' && Math.abs(pct - (100 * covered) / total) > TOLERANCE) {
      return refused(`${quoted(given)} has ${covered} of ${total} lines but reports ${pct} %`);
    }
    if (given === 'total') {
      claimed = { total, covered };
      continue;
    }
    const path = reportPath(given);
    if (path === '' || files.has(path)) return refused(`it names ${quoted(given)} twice`);
    files.set(path, { path, covered, total });
  }
  const found = [...files.values()];
  if (found.length === 0) return refused('it has no file');
  const total = found.reduce((sum, file) => sum + file.total, 0);
  const covered = found.reduce((sum, file) => sum + file.covered, 0);
  if (claimed && (claimed.total !== total || claimed.covered !== covered)) {
    return refused(
      `its total is ${claimed.covered} of ${claimed.total} lines, but its files have ${covered} of ${total}`,
    );
  }
  return { ok: true, value: { format: 'istanbul-summary', files: found } };
}

function refused(why: string): Parsed<never> {
  return { ok: false, why: `invalid istanbul summary: ${why}` };
}
