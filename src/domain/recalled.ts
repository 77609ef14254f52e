/**
 * What GuardKit tells an agent from memory is marked, so that it is known when the agent says it again: stored a second
 * time it would count as something that happened.
 */
export const RECALLED_OPEN = '<guardkit-precedents>';
export const RECALLED_CLOSE = '</guardkit-precedents>';

/** Stands in every recalled line, for one that is quoted without its block. */
const RECALLED_LINE = '[precedent ';

export function recalledMark(id: string): string {
  return `${RECALLED_LINE}${id}]`;
}

/** A text without what was recalled in it. */
export function withoutRecalled(text: string): string {
  if (!text.includes(RECALLED_OPEN) && !text.includes(RECALLED_LINE)) return text;
  return withoutBlocks(text)
    .split('\n')
    .filter((line) => !line.includes(RECALLED_LINE))
    .join('\n')
    .trim();
}

/** A block that is not closed ends with the text: what comes after its beginning cannot be told from it. */
function withoutBlocks(text: string): string {
  let result = '';
  let from = 0;
  for (;;) {
    const open = text.indexOf(RECALLED_OPEN, from);
    if (open < 0) return result + text.slice(from);
    result += text.slice(from, open);
    const close = text.indexOf(RECALLED_CLOSE, open);
    if (close < 0) return result;
    from = close + RECALLED_CLOSE.length;
  }
}
