/**
 * How a source file tells a coverage tool to look away: by a comment, by the place that its lines are said to come from,
 * or by being named as a test, which is not measured, while other code uses it.
 */
const EXCLUSION =
  /(?:istanbul|\bc8|\bv8|node:coverage)\s{0,40}(?:ignore|disable)|\/[*/]\s{0,40}istanbul\s{0,40}$|pragma[:\s]\s{0,40}no\s{0,40}(?:cover|branch)|LCOV_EXCL|coverage:\s{0,4}ignore|#\[coverage\(off\)\]|tarpaulin_include|ExcludeFromCodeCoverage|sourceMappingURL=|(?:\bfrom|\bimport|\brequire)\s{0,10}\(?\s{0,10}['"`][^'"`\n]{0,200}[./_-](?:test|spec|e2e|cy)(?:\.[cm]?[jt]sx?)?['"`]/i;

/** Lines among the changed ones that take code out of the measurement. */
export function findExclusions(text: string, changed: ReadonlySet<number>): number[] {
  const lines = text.split('\n');
  return [...changed].filter((number) => EXCLUSION.test(lines[number - 1] ?? '')).sort((a, b) => a - b);
}
