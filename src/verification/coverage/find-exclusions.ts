/** How a source file tells a coverage tool to look away. */
const EXCLUSION =
  /(?:istanbul|c8|v8|node:coverage)\s{0,4}(?:ignore|disable)|pragma:\s{0,4}no\s?(?:cover|branch)|LCOV_EXCL|coverage:\s{0,4}ignore|#\[coverage\(off\)\]|tarpaulin_include|ExcludeFromCodeCoverage/i;

/** Lines among the changed ones that take code out of the measurement. */
export function findExclusions(text: string, changed: ReadonlySet<number>): number[] {
  const lines = text.split('\n');
  return [...changed].filter((number) => EXCLUSION.test(lines[number - 1] ?? '')).sort((a, b) => a - b);
}
