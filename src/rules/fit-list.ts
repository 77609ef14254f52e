/** A list in one line of at most `budget` characters; what does not fit is counted, never dropped silently. */
export function fitList(items: readonly string[], separator: string, budget: number): string {
  const whole = items.join(separator);
  if (whole.length <= budget) return whole;
  for (let shown = items.length - 1; shown > 0; shown--) {
    const text = `${items.slice(0, shown).join(separator)}${separator}(${items.length - shown} more left out)`;
    if (text.length <= budget) return text;
  }
  return `(${items.length} left out)`;
}
