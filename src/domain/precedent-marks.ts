/**
 * Marks text recalled from memory in an agent's prompt. Without the mark, an agent's repetition would be stored again as a
 * new event.
 */
export const RECALLED_OPEN = '<guardkit-precedents>';
export const RECALLED_CLOSE = '</guardkit-precedents>';

/** In every recalled line, in case a line is quoted without its block. */
const RECALLED_LINE = '[precedent ';

export function recalledMark(id: string): string {
  return `${RECALLED_LINE}${id}]`;
}

/** Removes recalled text. */
export function withoutRecalled(text: string): string {
  if (!text.includes(RECALLED_OPEN) && !text.includes(RECALLED_LINE)) return text;
  return withoutBlocks(text)
    .split('\n')
    .filter((line) => !line.includes(RECALLED_LINE))
    .join('\n')
    .trim();
}

/** An unclosed block extends to the end: the text after its start cannot be told apart. */
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
