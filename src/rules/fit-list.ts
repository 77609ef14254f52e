/** A list in one line of at most `budget` characters; what does not fit is counted, never dropped silently. */
export function fitList(items: readonly string[], separator: string, budget: number): string {
  const whole = items.join(separator);
  if (whole.length <= budget) return whole;
  let fitting = `(${items.length} left out)`;
  let shown = '';
  for (const [index, item] of items.entries()) {
    shown += item + separator;
    if (shown.length > budget) break;
    const text = `${shown}(${items.length - index - 1} more left out)`;
    if (text.length <= budget) fitting = text;
  }
  return fitting;
}
