/**
 * Where git left the first conflict, or -1. It has to be looked for before reading: `<<<<<<< … >>>>>>>` is also the
 * name of a node in the HTML form, so Graphviz takes a conflict without a word.
 */
export function findConflictMarker(text: string): number {
  let began = -1;
  let divided = false;
  for (let at = 0; at !== -1 && at < text.length; ) {
    const mark = text.startsWith('<<<<<<<', at)
      ? '<'
      : text.startsWith('=======', at)
        ? '='
        : text.startsWith('>>>>>>>', at)
          ? '>'
          : '';
    if (mark !== '' && isWhole(text, at + 7)) {
      if (mark === '<') {
        began = at;
        divided = false;
      } else if (mark === '=') divided = began !== -1;
      else if (divided) return began;
    }
    const next = text.indexOf('\n', at);
    at = next === -1 ? -1 : next + 1;
  }
  return -1;
}

/** Seven marks, then a space or the end of the line. */
function isWhole(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return at >= text.length || code === 32 || code === 10 || code === 13;
}
