import { basename } from 'node:path';
import { languageOf } from './source-language.ts';

/**
 * Ways in which a source file is excluded from coverage: a comment, a source map that moves its lines, or the name of a
 * test file, which is not measured, while other code uses it.
 */
const EXCLUSION =
  /(?:istanbul|\bc8|\bv8|node:coverage)\s{0,40}(?:ignore|disable)|\/[*/]\s{0,40}istanbul\s{0,40}$|pragma[:\s]\s{0,40}no\s{0,40}(?:cover|branch)|LCOV_EXCL|coverage:\s{0,4}ignore|#\[coverage\(off\)\]|tarpaulin_include|ExcludeFromCodeCoverage|sourceMappingURL=|(?:\bfrom|\bimport|\brequire)\s{0,10}\(?\s{0,10}['"`][^'"`\n]{0,200}[./_-](?:test|spec|e2e|cy)(?:\.[cm]?[jt]sx?)?['"`]/i;

/** Changed lines that exclude code from coverage. */
export function findExclusions(text: string, changed: ReadonlySet<number>): number[] {
  const lines = text.split('\n');
  return [...changed].filter((number) => EXCLUSION.test(lines[number - 1] ?? '')).sort((a, b) => a - b);
}

const CODE = new Set(['javascript', 'python', 'jvm', 'c', 'go', 'rs', 'rb', 'php', 'sh', 'cs']);

/**
 * Changed lines of a program that name the coverage report. Tests run where the report is written, so one that names it
 * can replace the tool's report with its own.
 */
export function findReportNames(
  path: string,
  text: string,
  changed: ReadonlySet<number>,
  reports: readonly string[],
): number[] {
  if (!CODE.has(languageOf(path) ?? '')) return [];
  const names = reports.map((report) => basename(report)).filter((name) => text.includes(name));
  if (names.length === 0) return [];
  const lines = text.split('\n');
  return [...changed]
    .filter((number) => names.some((name) => lines[number - 1]?.includes(name)))
    .sort((a, b) => a - b);
}
