const BARS = '▁▂▃▄▅▆▇█';

/** One bar per period, scaled to the highest; a dot if there is nothing to measure. */
export function sparkline(values: readonly (number | null)[]): string {
  const highest = Math.max(0, ...values.map((value) => value ?? 0));
  return values
    .map((value) => {
      if (value === null) return '·';
      const level = highest === 0 ? 0 : Math.round((value / highest) * (BARS.length - 1));
      return BARS[level] ?? '';
    })
    .join('');
}
