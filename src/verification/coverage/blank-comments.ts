/**
 * The lines of a source of the C family without what stands in comments, strings replaced by `"`. A block comment is
 * known by the beginning of a line only: elsewhere, `/*` may stand in a regular expression, and code must not vanish.
 */
export function blankComments(source: string): string[] {
  let inComment = false;
  let inTemplate = false;
  return source.split('\n').map((line) => {
    let code = '';
    let at = 0;
    while (at < line.length) {
      if (inComment) {
        const end = line.indexOf('*/', at);
        inComment = end === -1;
        at = inComment ? line.length : end + 2;
      } else if (inTemplate) {
        const end = endOfString(line, at, '`');
        inTemplate = end === -1;
        code += '"';
        at = inTemplate ? line.length : end;
      } else if (line.startsWith('/*', at) && code.trim() === '') {
        inComment = true;
        at += 2;
      } else if (line.startsWith('//', at)) {
        break;
      } else {
        const quote = line.charAt(at);
        const isString = quote === '"' || quote === "'" || quote === '`';
        const end = isString ? endOfString(line, at + 1, quote) : at + 1;
        inTemplate = quote === '`' && end === -1;
        code += isString ? '"' : quote;
        // An apostrophe without an end is no string, but one of a comment, a lifetime or a regular expression.
        at = end === -1 ? (inTemplate ? line.length : at + 1) : end;
      }
    }
    return code;
  });
}

/** After the closing quote, or -1 if it is not on this line. */
function endOfString(line: string, start: number, quote: string): number {
  for (let at = start; at < line.length; at++) {
    if (line.charAt(at) === '\\') at++;
    else if (line.charAt(at) === quote) return at + 1;
  }
  return -1;
}
