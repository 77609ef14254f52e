/** The index of the backtick that closes the template opened at `start`; -1 if none does. */
export function templateEnd(text: string, start: number): number {
  // A number counts the open braces of a `${…}`; null is a template.
  const open: (number | null)[] = [null];
  let endless = 0;
  for (let at = start + 1; at < text.length; at += 1) {
    const char = text[at];
    const top = open.at(-1);
    if (char === '\\') at += 1;
    else if (char === '`') {
      if (top === null) open.pop();
      else open.push(null);
      if (open.length === 0) return at;
    } else if (top === null) {
      if (char === '$' && text[at + 1] === '{') {
        open.push(1);
        at += 1;
      }
    } else if (char === '{') open[open.length - 1] = (top ?? 0) + 1;
    else if (char === '}') {
      if (top === 1) open.pop();
      else open[open.length - 1] = (top ?? 0) - 1;
    } else if (char === '"' || char === "'") {
      if (at < endless) continue;
      const end = quoteEnd(text, at);
      if (text[end] === char) at = end;
      else endless = end;
    }
  }
  return -1;
}

/** The index of the closing quote, or of the line end if there is none. */
function quoteEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === text[start] || text[at] === '\n') return at;
  }
  return text.length;
}
